import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { CHECKPOINTS, isPassed } from "./checkpoints.tsx";
import { SECTIONS } from "./sections/index.ts";

/** The section that is being read. */
const current = signal("");

/** The table of contents, which tells where one is and what one has passed. */
export function Contents() {
  useEffect(watchSections, []);
  return (
    <nav class="contents" aria-label="Sections">
      <ol>
        {SECTIONS.map(({ id, name }) => (
          <li key={id}>
            <a href={`#${id}`} aria-current={id === current.value ? "location" : undefined}>
              {name}
              {CHECKPOINTS.some(({ section }) => section === id) && isPassed(id) && (
                <span class="passed">
                  {" "}
                  <span aria-hidden="true">✓</span>
                  <span class="visually-hidden">passed</span>
                </span>
              )}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** A section is being read while it lies across the upper third of the window. */
function watchSections(): () => void {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (isIntersecting) current.value = target.id;
      }
    },
    { rootMargin: "-33% 0px -66% 0px" },
  );
  for (const { id } of SECTIONS) {
    const section = document.getElementById(id);
    if (section !== null) observer.observe(section);
  }
  return () => observer.disconnect();
}
