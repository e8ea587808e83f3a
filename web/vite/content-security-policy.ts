import type { Plugin } from "vite";

const policy = [
  "default-src 'none'",
  // wasm-unsafe-eval allows compiling WebAssembly, and no script from text.
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/**
 * Puts the Content-Security-Policy into every built page. The development
 * server is left without it: Vite's hot reload needs inline styles.
 */
export function contentSecurityPolicy(): Plugin {
  return {
    name: "content-security-policy",
    apply: "build",
    transformIndexHtml: () => [
      {
        tag: "meta",
        attrs: { "http-equiv": "Content-Security-Policy", content: policy },
        injectTo: "head-prepend",
      },
    ],
  };
}
