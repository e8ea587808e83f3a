const PAGES = [
  { name: "Playground", path: "./" },
  { name: "Lesson", path: "./lesson.html" },
] as const;

type PageName = (typeof PAGES)[number]["name"];

/** The way from one page of the site to the others. */
export function SiteNav({ current }: { readonly current: PageName }) {
  return (
    <nav class="site-nav" aria-label="Site">
      {PAGES.map(({ name, path }) => (
        <a key={name} href={path} aria-current={name === current ? "page" : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}
