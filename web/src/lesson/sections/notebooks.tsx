import { Section } from "../section.tsx";

const NOTEBOOKS = [
  ["1_text.ipynb", "Text", "labs 1 to 3 and 8: what a text is made of, and four ways to cut it"],
  ["2_bpe.ipynb", "BPE", "labs 4 and 5: merges by hand, and a trainer of fifteen lines"],
  ["3_three_trainers.ipynb", "Three trainers", "lab 6, beside the libraries’ own trainers"],
  ["4_bytes.ipynb", "Bytes", "lab 7: BPE on bytes, byte fallback, and what it does not promise"],
  ["5_vocabulary.ipynb", "Vocabulary", "labs 9 and 10: what a vocabulary costs and buys"],
] as const;

/** The labs once more, with the libraries that are used in earnest. */
export function NotebooksSection() {
  return (
    <Section id="notebooks" title="Notebooks">
      <p>
        The labs of this page are made to be seen through. Five notebooks repeat them with the
        libraries that are used in earnest, <code>tokenizers</code> and <code>sentencepiece</code>,
        and check every figure given here.
      </p>
      <ul>
        {NOTEBOOKS.map(([file, title, about]) => (
          <li key={file}>
            <a href={`./notebooks/${file}`} download={file}>
              {title}
            </a>{" "}
            <span class="quiet">
              {file}; {about}
            </span>
          </li>
        ))}
      </ul>
      <p>
        They do not agree with the labs in everything, and say where. The BPE trainer of Hugging
        Face’s <code>tokenizers</code> takes {"</w>"} for a part of the last letter, and not for a
        symbol of its own: w and {"w</w>"} are two symbols then, the four words give 13 merges and
        not 15, and some of them in another order. Neither is wrong.
      </p>
      <p>
        In the project’s folder, <code>scripts/jupyterlite --serve</code> opens them in the browser,
        with spmlite in Pyodide and nothing installed.
      </p>
    </Section>
  );
}
