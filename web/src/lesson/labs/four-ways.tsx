import { Choice } from "../../components/choice.tsx";
import { encodeWith, MODEL_NAMES, MODEL_OPTIONS, type ModelName, problem } from "../engine.ts";
import { Presets, TextField } from "../fields.tsx";
import { Lab } from "../lab.tsx";
import { MeasuredStrip } from "../measured-strip.tsx";
import { oneOf, parameter, TEXT } from "../parameters.ts";
import { bytePieces, characterPieces, wordPieces } from "../pieces.ts";

const LAB = "four-way-lab";

const text = parameter(LAB, "text", "café 👋", TEXT);
const model = parameter<ModelName>(LAB, "model", "bpe", oneOf(MODEL_NAMES));

/** One text in words, subwords, characters and bytes. */
export function FourWayLab() {
  return (
    <Lab
      id={LAB}
      title="Four ways"
      task="Type anything, and see one text cut four ways at once. The number below a piece is its id: the same piece has the same number and colour wherever it stands."
    >
      <TextField id="four-ways-text" label="Text" value={text} />
      <div class="lab-row">
        <Presets
          label="Try"
          texts={["café 👋", "বাংলা 日本語", "to be or not to be", "cat cats", "12,345.67 €"]}
          onChoose={(chosen) => {
            text.value = chosen;
          }}
        />
        <Choice
          legend="Model of the subwords"
          name="four-ways-model"
          options={MODEL_OPTIONS}
          value={model.value}
          onChange={(chosen) => {
            model.value = chosen;
          }}
        />
      </div>
      <div class="measured-list">
        <MeasuredStrip name="Words" unit="word" pieces={wordPieces(text.value)} showIds />
        <MeasuredStrip
          name="Characters"
          unit="character"
          pieces={characterPieces(text.value)}
          showIds
        />
        <MeasuredStrip
          name="Subwords"
          unit="token"
          pieces={encodeWith(model.value, text.value)}
          showIds
        />
        <MeasuredStrip name="Bytes" unit="byte" pieces={bytePieces(text.value)} showIds />
      </div>
      {problem.value !== "" && <p class="problem">{problem.value}</p>}
      <p class="hint">
        The subwords come from spmlite itself and a model of 6,000 pieces in 38 languages that was
        trained for this site. ▁ is how SentencePiece writes a space; a dashed edge is a byte.
      </p>
    </Lab>
  );
}
