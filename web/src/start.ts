// The page's first script: it lets what the build rendered be painted, and then brings it to life.

function start(): void {
  import("./main.tsx");
}

if (document.hidden) start();
else requestAnimationFrame(() => setTimeout(start));
