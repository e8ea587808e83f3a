// A page that is made on the server too, where importing the package does nothing.
"use client";

import { useEffect } from "react";
import { run } from "./run.js";

export default function Page() {
  useEffect(() => {
    globalThis.result = run();
  }, []);
  return <p>The page is left with `result`.</p>;
}
