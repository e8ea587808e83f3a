// Opens a page in Firefox and prints what its script has left in `told`, as JSON:
//
//   node open_in_firefox.mjs NODE_MODULES EXECUTABLE ADDRESS
//
// NODE_MODULES is the folder that has puppeteer-core.

import { createRequire } from "node:module";

const [modules, executablePath, address] = process.argv.slice(2);
const { launch } = createRequire(`${modules}/`)("puppeteer-core");
const browser = await launch({ browser: "firefox", executablePath, headless: true });
try {
  const page = await browser.newPage();
  await page.goto(address);
  const told = await page.waitForFunction("globalThis.told", { timeout: 300_000 });
  process.stdout.write(JSON.stringify(await told.jsonValue()));
} finally {
  await browser.close();
}
