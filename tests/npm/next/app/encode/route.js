// Answers the ids of lines, in Next.js's edge runtime.

import { Tokenizer } from "spmlite";

export const runtime = "edge";

export async function POST(request) {
  const { model, lines } = await request.json();
  const tokenizer = await Tokenizer.load(model);
  return Response.json(lines.map((line) => [...tokenizer.encode(line)]));
}
