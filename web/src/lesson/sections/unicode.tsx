import { Checkpoint } from "../checkpoints.tsx";
import { Utf8Inspector } from "../labs/utf8-inspector.tsx";
import { Section, Table } from "../section.tsx";
import { codePointOf, formatByte, formatCodePoint, measure } from "../unicode.ts";

/** Two standards that came before any tokenizer, and three lengths of one text. */
export function UnicodeSection() {
  return (
    <Section id="unicode" title="Characters, numbers, bytes">
      <p>
        By the time a tokenizer sees a text, the text is numbers already. Two standards have seen to
        that, and they are easily mixed up. <dfn>Unicode</dfn> is a list: it gives every character
        one number, its <dfn>code point</dfn>, written in hexadecimal after <code>U+</code>. It says
        which characters there are, and nothing about files. <dfn>UTF-8</dfn> is a recipe: it writes
        such a number as one to four bytes. The 128 characters of ASCII keep the single byte that
        they always had; all others take two, three or four.
      </p>
      <Table
        caption="From the sign to the bytes"
        head={["character", "code point", "as a decimal", "UTF-8 bytes", "how many"]}
        numbers={[2, 4]}
        rows={["A", "é", "আ", "😊"].map(rowOfCharacter)}
      />
      <p>
        One byte for A, four for 😊: hold on to that. It is why a sentence in Bengali or Japanese
        may cost three times as many bytes as the same in English, before any tokenizer has had its
        say.
      </p>
      <h3>One text, three lengths</h3>
      <p>
        How long is <code>café 👋</code>? That depends on who asks. A reader counts{" "}
        <dfn>graphemes</dfn>, what looks like one character. Unicode counts code points: an é may be
        one of them (U+00E9), or two, an e and an accent that leans on it (U+0065, U+0301). The two
        spellings are called NFC and NFD; they look the same and are different texts, until a{" "}
        <em>normalization</em> brings them together. A disk counts bytes. JavaScript’s{" "}
        <code>length</code> counts none of these but UTF-16 units, of which 👋 takes two.
      </p>
      <Table
        caption="The same word, four ways to count it"
        head={["text", "graphemes", "code points", "bytes", "UTF-16 units"]}
        numbers={[1, 2, 3, 4]}
        rows={[
          rowOfLengths("cafe", "NFC"),
          rowOfLengths("café", "NFC"),
          rowOfLengths("café", "NFD"),
          rowOfLengths("café 👋", "NFC"),
          rowOfLengths("café 👋", "NFD"),
        ]}
      />
      <Utf8Inspector />
      <h3>How much Unicode is there?</h3>
      <Table
        caption="Unicode 17.0 in numbers"
        head={["what", "how many"]}
        numbers={[1]}
        rows={[
          ["code points that there can be", "1,114,112"],
          ["of them assigned to characters", "159,801"],
          ["new characters in version 17.0", "4,803"],
          ["scripts", "172"],
          ["new scripts in version 17.0", "4"],
          ["values of a byte, in every version", "256"],
        ]}
      />
      <p>
        Scripts are not languages: Latin and Devanagari each serve hundreds of those. And while the
        list of characters grows with every version, the last row never will. Section 8 makes a
        decision out of that contrast.
      </p>
      <Checkpoint section="unicode" />
    </Section>
  );
}

function rowOfCharacter(character: string) {
  const { value, bytes } = codePointOf(character);
  return [
    character,
    <code key="name">{formatCodePoint(value)}</code>,
    String(value),
    <code key="bytes">{Array.from(bytes, formatByte).join(" ")}</code>,
    String(bytes.length),
  ];
}

function rowOfLengths(text: string, form: "NFC" | "NFD") {
  const { graphemes, codePoints, bytes, utf16 } = measure(text.normalize(form));
  const name = text === text.normalize("NFD") ? text : `${text} (${form})`;
  return [name, graphemes, codePoints, bytes, utf16];
}
