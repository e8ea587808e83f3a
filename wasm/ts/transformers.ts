// spmlite/transformers: the interface of Transformers.js's tokenizers
// (https://huggingface.co/docs/transformers.js/api/tokenizers) on a tokenizer of this
// package. Names are theirs. Importing it loads nothing.

import "./web.js";
import { SpmliteError } from "./errors.js";
import type { Tokenizer } from "./tokenizer.js";

/** What is read of a tokenizer_config.json. */
export interface TransformersConfig {
  readonly bos_token?: ConfiguredToken;
  readonly eos_token?: ConfiguredToken;
  readonly unk_token?: ConfiguredToken;
  readonly pad_token?: ConfiguredToken;
  readonly sep_token?: ConfiguredToken;
  readonly cls_token?: ConfiguredToken;
  readonly mask_token?: ConfiguredToken;
  readonly add_bos_token?: boolean;
  readonly add_eos_token?: boolean;
  readonly padding_side?: "left" | "right";
  readonly model_max_length?: number;
  readonly clean_up_tokenization_spaces?: boolean;
  readonly chat_template?: string | readonly NamedTemplate[] | null;
  /** By id; says which tokens are special. */
  readonly added_tokens_decoder?: Readonly<Record<string, AddedToken>>;
}
interface AddedToken {
  readonly content: string;
  readonly special?: boolean;
}
type ConfiguredToken = string | { readonly content: string } | null;
/** By name. */
interface Templates {
  readonly default?: string;
  readonly tool_use?: string;
  readonly [name: string]: string | undefined;
}
interface NamedTemplate {
  readonly name: string;
  readonly template: string;
}

/** The class `Tensor` of @huggingface/transformers, or one like it. */
export type TensorClass<Tensor> = new (
  type: "int64",
  data: BigInt64Array,
  dims: number[],
) => Tensor;

/** The class `Template` of @huggingface/jinja, or one like it. */
export type TemplateClass = new (
  source: string,
) => { render(values: Record<string, unknown>): string };

export interface TransformersOptions<Tensor> {
  /** The model's tokenizer_config.json; without one, what the model itself tells. */
  readonly config?: TransformersConfig;
  /** What results are made of; without it they are arrays. */
  readonly Tensor?: TensorClass<Tensor>;
  /** What renders chat templates; without it `apply_chat_template` throws. */
  readonly Template?: TemplateClass;
}

export interface CallOptions {
  readonly text_pair?: string | readonly string[] | null;
  readonly padding?: boolean | "max_length";
  readonly add_special_tokens?: boolean;
  readonly truncation?: boolean | null;
  readonly max_length?: number | null;
  readonly return_tensor?: boolean;
  readonly return_token_type_ids?: boolean | null;
}

export interface TemplateOptions extends CallOptions {
  readonly chat_template?: string | null;
  readonly tools?: readonly object[] | null;
  readonly documents?: readonly object[] | null;
  readonly add_generation_prompt?: boolean;
  readonly tokenize?: boolean;
  readonly return_dict?: boolean;
  readonly tokenizer_kwargs?: CallOptions;
  readonly [variable: string]: unknown;
}

export interface DecodeOptions {
  readonly skip_special_tokens?: boolean;
  readonly clean_up_tokenization_spaces?: boolean | null;
}

/** Of one text where the text was one and arrays were asked for; else of all. */
export interface Encoding<Item> {
  readonly input_ids: Item;
  readonly attention_mask: Item;
  readonly token_type_ids?: Item;
}
type Item<Tensor> = Tensor | number[] | number[][];

/** Ids as their models give them: numbers, big ones, or a tensor. */
export type TokenIds =
  | ArrayLike<number | bigint>
  | { tolist(): unknown[]; readonly dims: readonly number[] };

interface Row {
  readonly input_ids: number[];
  readonly attention_mask: number[];
  readonly token_type_ids?: number[];
}

const SPECIAL_NAMES = [
  "bos_token",
  "eos_token",
  "unk_token",
  "sep_token",
  "pad_token",
  "cls_token",
  "mask_token",
] as const;

class Methods<Tensor> {
  /** The tokenizer that all is done with. */
  readonly tokenizer: Tokenizer;
  readonly config: TransformersConfig;
  padding_side: "left" | "right";
  readonly bos_token: string | null;
  readonly eos_token: string | null;
  readonly unk_token: string | null;
  readonly pad_token: string | null;
  readonly sep_token: string | null;
  readonly mask_token: string | null;
  readonly all_special_tokens: string[];
  readonly all_special_ids: number[];
  readonly chat_template: string | Templates | null;
  protected readonly specials: ReadonlyMap<number, string>;
  protected readonly tensor: TensorClass<Tensor> | undefined;
  protected readonly template: TemplateClass | undefined;

  constructor(tokenizer: Tokenizer, options: TransformersOptions<Tensor>) {
    const { config = {}, Tensor, Template } = options;
    this.tokenizer = tokenizer;
    this.config = config;
    this.tensor = Tensor;
    this.template = Template;
    this.padding_side = config.padding_side ?? "right";
    const own = (id: number) => (id < 0 ? null : tokenizer.idToPiece(id));
    this.bos_token = nameOf(config.bos_token) ?? own(tokenizer.bosId);
    this.eos_token = nameOf(config.eos_token) ?? own(tokenizer.eosId);
    this.unk_token = nameOf(config.unk_token) ?? own(tokenizer.unkId);
    this.pad_token =
      nameOf(config.pad_token) ?? own(tokenizer.padId) ?? this.eos_token;
    this.sep_token = nameOf(config.sep_token);
    this.mask_token = nameOf(config.mask_token);
    this.chat_template = templatesOf(config.chat_template);
    this.specials = specialsOf(tokenizer, config);
    this.all_special_ids = [...this.specials.keys()];
    this.all_special_tokens = [...this.specials.values()];
  }

  get bos_token_id(): number | undefined {
    return this.idOf(this.bos_token);
  }
  get eos_token_id(): number | undefined {
    return this.idOf(this.eos_token);
  }
  get unk_token_id(): number | undefined {
    return this.idOf(this.unk_token);
  }
  get pad_token_id(): number | undefined {
    return this.idOf(this.pad_token);
  }
  get sep_token_id(): number | undefined {
    return this.idOf(this.sep_token);
  }
  get mask_token_id(): number | undefined {
    return this.idOf(this.mask_token);
  }
  get model_max_length(): number {
    return this.config.model_max_length ?? Number.POSITIVE_INFINITY;
  }
  get add_bos_token(): boolean {
    return this.config.add_bos_token ?? this.tokenizer.bosId >= 0;
  }
  get add_eos_token(): boolean {
    return this.config.add_eos_token ?? false;
  }

  /** Each piece with its id. */
  get_vocab(): Map<string, number> {
    const { tokenizer } = this;
    const vocabulary = new Map(
      Array.from({ length: tokenizer.vocabSize }, (_, id) => [
        tokenizer.idToPiece(id),
        id,
      ]),
    );
    for (const [id, token] of this.specials) vocabulary.set(token, id);
    return vocabulary;
  }

  /** Undefined for what is no piece. */
  convert_tokens_to_ids(token: string): number | undefined;
  convert_tokens_to_ids(tokens: readonly string[]): (number | undefined)[];
  convert_tokens_to_ids(tokens: string | readonly string[]) {
    if (typeof tokens === "string") return this.idOf(tokens);
    return tokens.map((token) => this.idOf(token));
  }

  /** Text to ids; special tokens that it spells are recognized, as theirs does. */
  encode(
    text: string,
    { text_pair = null, add_special_tokens = true }: CallOptions = {},
  ): number[] {
    return this.row(text, pairOf(text_pair), { add_special_tokens }).input_ids;
  }

  tokenize(
    text: string,
    {
      pair = null,
      add_special_tokens = false,
    }: {
      readonly pair?: string | null;
      readonly add_special_tokens?: boolean;
    } = {},
  ): string[] {
    const ids = this.encode(text, { text_pair: pair, add_special_tokens });
    return ids.map((id) => this.tokenizer.idToPiece(id));
  }

  decode(ids: TokenIds, options: DecodeOptions = {}): string {
    return this.decode_single(listOf(ids), options);
  }

  batch_decode(
    batch: readonly TokenIds[] | { tolist(): unknown[] },
    options: DecodeOptions = {},
  ): string[] {
    const lists = "tolist" in batch ? batch.tolist() : batch;
    return (lists as TokenIds[]).map((ids) => this.decode(ids, options));
  }

  decode_single(
    ids: ArrayLike<number | bigint>,
    options: DecodeOptions = {},
  ): string {
    const { skip_special_tokens = false, clean_up_tokenization_spaces } =
      options;
    const numbers = Array.from(ids, Number);
    if (numbers.length === 0)
      throw invalid("token_ids must be a non-empty array of integers");
    const cleansUp =
      clean_up_tokenization_spaces ??
      this.config.clean_up_tokenization_spaces ??
      true;
    const text = this.textOf(numbers, skip_special_tokens);
    return cleansUp ? cleanedUp(text) : text;
  }

  /** The template of this name, or the one that is meant where none is given. */
  get_chat_template({
    chat_template = null,
    tools = null,
  }: TemplateOptions = {}): string {
    const known = this.chat_template;
    if (known === null || typeof known === "string") {
      const template = chat_template ?? known;
      if (template !== null) return template;
      throw invalid(
        "there is no chat_template: give one in `config` or to apply_chat_template",
      );
    }
    if (chat_template !== null) return known[chat_template] ?? chat_template;
    const usual = tools === null ? undefined : known.tool_use;
    const template = usual ?? known.default;
    if (template !== undefined) return template;
    const names = Object.keys(known).sort().join(", ");
    throw invalid(`chat_template must name one of this model's: ${names}`);
  }

  /** Messages to a prompt and, unless `tokenize` is false, to its ids. */
  apply_chat_template(
    conversation: readonly object[],
    options: TemplateOptions = {},
  ): string | Item<Tensor> | Encoding<Item<Tensor>> {
    const {
      tools = null,
      documents = null,
      chat_template = null,
      add_generation_prompt = false,
      tokenize = true,
      padding = false,
      truncation = false,
      max_length = null,
      return_tensor = this.tensor !== undefined,
      return_dict = true,
      tokenizer_kwargs = {},
      ...variables
    } = options;
    const { template: Template } = this;
    if (Template === undefined)
      throw invalid(
        "apply_chat_template needs { Template } of @huggingface/jinja, given to transformersTokenizer",
      );
    const source = this.get_chat_template({ chat_template, tools });
    const prompt = new Template(source).render({
      messages: conversation,
      add_generation_prompt,
      tools,
      documents,
      ...this.namesForTemplates(),
      ...variables,
    });
    if (!tokenize) return prompt;
    const encoding = this._call(prompt, {
      add_special_tokens: false,
      padding,
      truncation,
      max_length,
      return_tensor,
      ...tokenizer_kwargs,
    });
    return return_dict ? encoding : encoding.input_ids;
  }

  /** What calling the tokenizer does. */
  _call(
    text: string | readonly string[],
    options: CallOptions = {},
  ): Encoding<Item<Tensor>> {
    const { text_pair = null, padding = false } = options;
    const texts = typeof text === "string" ? [text] : text;
    if (!Array.isArray(texts) || texts.length === 0)
      throw invalid("a text, or an array of at least one, is needed");
    const pairs = pairsOf(text_pair, text);
    const rows = texts.map((one, i) => this.row(one, pairs?.[i], options));
    const fitted = this.fitted(rows, padding, options);
    const returnsTensor = options.return_tensor ?? this.tensor !== undefined;
    if (returnsTensor) return this.inTensors(fitted);
    if (typeof text === "string") return fitted[0] as Encoding<number[]>;
    return columns(fitted, (values) => values);
  }

  protected idOf(token: string | null): number | undefined {
    if (token === null) return undefined;
    const id = this.tokenizer.pieceToId(token);
    return id >= 0 && this.tokenizer.idToPiece(id) === token ? id : undefined;
  }

  protected row(
    text: string,
    pair: string | undefined,
    {
      add_special_tokens = true,
      return_token_type_ids,
    }: Pick<CallOptions, "add_special_tokens" | "return_token_type_ids">,
  ): Row {
    const begin = add_special_tokens && this.add_bos_token;
    const end = add_special_tokens && this.add_eos_token;
    const framing = [
      begin ? this.idOf(this.bos_token) : undefined,
      end ? this.idOf(this.eos_token) : undefined,
    ] as const;
    const first = this.framed(text, framing);
    const second = pair === undefined ? [] : this.framed(pair, framing);
    const input_ids = [...first, ...second];
    return {
      input_ids,
      attention_mask: input_ids.map(() => 1),
      ...(return_token_type_ids
        ? { token_type_ids: [...first.fill(0), ...second.fill(1)] }
        : {}),
    };
  }

  protected framed(
    text: string,
    [begin, end]: readonly [number | undefined, number | undefined],
  ): number[] {
    return [
      ...(begin === undefined ? [] : [begin]),
      ...this.tokenizer.encode(text, { controlPieces: true }),
      ...(end === undefined ? [] : [end]),
    ];
  }

  /** Cut and padded, by the rules of Transformers.js. */
  protected fitted(
    rows: readonly Row[],
    padding: boolean | "max_length",
    { truncation = null, max_length = null }: CallOptions,
  ): Row[] {
    const isGiven = max_length !== null;
    // A length that is given alone means to cut; beside `padding: true` it means nothing.
    const cuts = truncation ?? (isGiven && padding === false);
    const isIgnored = isGiven && truncation === null && padding === true;
    let length = isIgnored || !isGiven ? this.model_max_length : max_length;
    if (padding === true)
      length = Math.min(
        length,
        Math.max(...rows.map(({ input_ids }) => input_ids.length)),
      );
    length = Math.min(length, this.model_max_length);
    return rows.map((row) => {
      if (cuts && row.input_ids.length > length)
        return mapped(row, (values) => values.slice(0, length));
      const missing = length - row.input_ids.length;
      if (padding === false || !(missing > 0)) return row;
      return this.padded(row, missing);
    });
  }

  protected padded(row: Row, missing: number): Row {
    if (!Number.isFinite(missing))
      throw invalid("padding to max_length needs a max_length");
    const id = this.pad_token_id ?? 0;
    return mapped(row, (values, name) => {
      const filling = new Array<number>(missing).fill(
        name === "input_ids" ? id : 0,
      );
      return this.padding_side === "right"
        ? [...values, ...filling]
        : [...filling, ...values];
    });
  }

  protected inTensors(rows: readonly Row[]): Encoding<Tensor> {
    const { tensor: Tensor } = this;
    if (Tensor === undefined)
      throw invalid(
        "tensors need { Tensor } of @huggingface/transformers, given to transformersTokenizer",
      );
    const length = rows[0]?.input_ids.length ?? 0;
    if (rows.some(({ input_ids }) => input_ids.length !== length))
      throw invalid(
        "the texts have different numbers of tokens, which no tensor holds: ask for padding and truncation",
      );
    return columns(
      rows,
      (lists) =>
        new Tensor("int64", BigInt64Array.from(lists.flat().map(BigInt)), [
          rows.length,
          length,
        ]),
    );
  }

  /** Special tokens are text of their own, and what lies between two goes on, as in a text. */
  protected textOf(ids: readonly number[], skips: boolean): string {
    const { specials, tokenizer } = this;
    if (skips) return tokenizer.decode(ids.filter((id) => !specials.has(id)));
    let text = "";
    let run: number[] = [];
    const end = () => {
      if (run.length > 0)
        text += text === "" ? tokenizer.decode(run) : this.goneOn(run);
      run = [];
    };
    for (const id of ids) {
      const special = specials.get(id);
      if (special === undefined) {
        run.push(id);
        continue;
      }
      end();
      text += special;
    }
    end();
    return text;
  }

  /** Ids as the middle of a text: a space in front stays, where the model puts one there. */
  protected goneOn(ids: readonly number[]): string {
    const before = this.idOf("a");
    if (before === undefined) return this.tokenizer.decode(ids);
    return this.tokenizer.decode([before, ...ids]).slice(1);
  }

  protected namesForTemplates(): Record<string, string> {
    const names = SPECIAL_NAMES.map((name) => [
      name,
      nameOf(this.config[name]),
    ]);
    return Object.fromEntries(names.filter(([, name]) => name !== null));
  }
}

/** A tokenizer that is called as a function, as in Transformers.js. */
export type TransformersTokenizer<Tensor = never> = Methods<Tensor> &
  ((
    text: string | readonly string[],
    options?: CallOptions,
  ) => Encoding<Item<Tensor>>);

/** Gives a tokenizer the interface of Transformers.js's; it still has to be freed by itself. */
export function transformersTokenizer<Tensor = never>(
  tokenizer: Tokenizer,
  options: TransformersOptions<Tensor> = {},
): TransformersTokenizer<Tensor> {
  const methods = new Methods(tokenizer, options);
  const call = (text: string | readonly string[], asked?: CallOptions) =>
    methods._call(text, asked);
  Object.setPrototypeOf(call, Methods.prototype);
  return Object.assign(call, methods) as TransformersTokenizer<Tensor>;
}

function nameOf(token: ConfiguredToken | undefined): string | null {
  return typeof token === "object" && token !== null
    ? token.content
    : (token ?? null);
}

/** By id: what the configuration calls special, or what the model does. */
function specialsOf(
  tokenizer: Tokenizer,
  { added_tokens_decoder: added }: TransformersConfig,
): Map<number, string> {
  if (added !== undefined) {
    const special = Object.entries(added).filter(([, token]) => token.special);
    return new Map(special.map(([id, { content }]) => [Number(id), content]));
  }
  const found = new Map<number, string>();
  const { vocabSize } = tokenizer;
  for (let id = 0; id < vocabSize; ++id) {
    const type = tokenizer.type(id);
    if (type === "CONTROL" || type === "UNKNOWN")
      found.set(id, tokenizer.idToPiece(id));
  }
  return found;
}

function templatesOf(
  given: TransformersConfig["chat_template"],
): string | Templates | null {
  if (typeof given === "string") return given;
  if (given === undefined || given === null) return null;
  return Object.fromEntries(
    given.map(({ name, template }) => [name, template]),
  );
}

function pairOf(pair: CallOptions["text_pair"]): string | undefined {
  if (pair === null || pair === undefined || typeof pair === "string")
    return pair ?? undefined;
  throw invalid("text_pair must be one text, as text is");
}

function pairsOf(
  pair: CallOptions["text_pair"],
  text: string | readonly string[],
): readonly string[] | undefined {
  if (pair === null || pair === undefined) return undefined;
  const pairs = typeof pair === "string" ? [pair] : pair;
  if ((typeof pair === "string") !== (typeof text === "string"))
    throw invalid("text_pair must be one text where text is, else an array");
  if (typeof text !== "string" && pairs.length !== text.length)
    throw invalid("text_pair must have as many texts as text");
  return pairs;
}

function listOf(ids: TokenIds): ArrayLike<number | bigint> {
  if (!("tolist" in ids)) return ids;
  const list = ids.tolist() as number[] | number[][];
  if (ids.dims.length === 1) return list as number[];
  if (ids.dims.length === 2 && ids.dims[0] === 1)
    return (list as number[][])[0] ?? [];
  throw invalid("of a tensor of several texts use batch_decode");
}

function mapped(
  row: Row,
  change: (values: number[], name: string) => number[],
): Row {
  const entries = Object.entries(row).map(([name, values]) => [
    name,
    change(values, name),
  ]);
  return Object.fromEntries(entries) as unknown as Row;
}

function columns<Column>(
  rows: readonly Row[],
  make: (lists: number[][]) => Column,
): Encoding<Column> {
  const names = Object.keys(rows[0] ?? {}) as (keyof Row)[];
  const made = names.map((name) => [
    name,
    make(rows.map((row) => row[name] ?? [])),
  ]);
  return Object.fromEntries(made) as unknown as Encoding<Column>;
}

// As `clean_up_tokenization` of Hugging Face's tokenizers has it.
function cleanedUp(text: string): string {
  return text
    .replace(/ ([.?!,])/g, "$1")
    .replace(/ ' /g, "'")
    .replace(/ (n't|'m|'s|'ve|'re)/g, "$1");
}

function invalid(message: string): SpmliteError {
  return new SpmliteError("INVALID_ARGUMENT", message);
}
