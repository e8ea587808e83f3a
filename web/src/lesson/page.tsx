import { PageFooter } from "../components/page-footer.tsx";
import { SiteNav } from "../components/site-nav.tsx";
import { Contents } from "./contents.tsx";
import { SECTIONS } from "./sections/index.ts";

export function LessonPage() {
  return (
    <>
      <header class="page-header">
        <SiteNav current="Lesson" />
        <h1>How text becomes tokens</h1>
        <p>
          A language model reads neither letters nor words but tokens, and a tokenizer is a small
          machine that one can take in the hand. Every section has something to try; go on when you
          can do what its last line asks.
        </p>
      </header>
      <div class="lesson">
        <Contents />
        <main>
          {SECTIONS.map(({ id, Body }) => (
            <Body key={id} />
          ))}
        </main>
      </div>
      <PageFooter>Everything is computed on this page; nothing leaves it.</PageFooter>
    </>
  );
}
