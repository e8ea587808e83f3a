import { CheckpointList } from "../checkpoints.tsx";
import { Section, Table } from "../section.tsx";

/** Which models use what, how to train one's own, and what to have understood. */
export function PracticeSection() {
  return (
    <Section id="practice" title="Out in the world">
      <h3>Which models use which tokenizer?</h3>
      <Table
        caption="Some tokenizers in use"
        head={["model", "method", "vocabulary"]}
        numbers={[2]}
        rows={[
          ["GPT-2", "byte-level BPE", "50,257"],
          ["GPT-4 (cl100k_base)", "byte-level BPE", "100,277"],
          ["GPT-4o (o200k_base)", "byte-level BPE", "200,019"],
          ["Llama 2", "SentencePiece BPE, byte fallback", "32,000"],
          ["Llama 3", "byte-level BPE", "128,256"],
          ["Mistral 7B v0.1, v0.3", "SentencePiece BPE, byte fallback", "32,000, 32,768"],
          ["Gemma 3", "SentencePiece BPE, byte fallback", "262,144"],
          ["BERT (base, uncased)", "WordPiece", "30,522"],
          ["ALBERT", "SentencePiece Unigram", "30,000"],
          ["T5", "SentencePiece Unigram", "32,000"],
          ["XLM-RoBERTa", "SentencePiece Unigram", "250,002"],
        ]}
      />
      <p>
        Numbers differ by a few where special tokens are counted or not; a model’s own files have
        the last word. Companies that run other people’s models, as Groq does, have no tokenizer of
        their own: a Llama served there still reads Llama’s tokens.
      </p>
      <h3>How to train your own</h3>
      <p>It takes a corpus and minutes; no neural network has a part in it.</p>
      <ol>
        <li>
          <strong>Gather text</strong> of the kind that the model will read: its languages, its
          code, its names and numbers.
        </li>
        <li>
          <strong>Choose a method:</strong> BPE, WordPiece or Unigram, on characters with byte
          fallback or on bytes.
        </li>
        <li>
          <strong>Choose a size</strong> and the special tokens, such as 32,000 with [BOS] and
          [EOS].
        </li>
        <li>
          <strong>Run the trainer.</strong> It counts, and writes down a vocabulary with its rules.
        </li>
        <li>
          <strong>Test it, then freeze it.</strong> Try rare words, every language, emoji, code, and
          whether texts come back. Once a model learns with it, no id may change its meaning.
        </li>
      </ol>
      <p>
        A SentencePiece model of yours, <code>.model</code>, can be dropped on the{" "}
        <a href="./">playground</a> at once.
      </p>
      <h3>Seven checkpoints</h3>
      <CheckpointList />
    </Section>
  );
}
