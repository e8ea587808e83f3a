"""`.spm`: models as text that people can read, written, read back, and completed."""

from __future__ import annotations

import base64
import hashlib
import json
import struct
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import sentencepiece
import spmlite
from sentencepiece import sentencepiece_model_pb2
from spmlite import _native, spm_text
from steps import spm_vocabulary

CountPairs = Callable[[str, int, int], None]

CHECKOUT = Path(__file__).resolve().parents[2]
SCRIPT = CHECKOUT / "scripts" / "extract_spm_vocab.py"
TOOL = CHECKOUT / "build" / ("spm_to_fb.exe" if sys.platform == "win32" else "spm_to_fb")
LINES = 40


def parsed(model: bytes) -> sentencepiece_model_pb2.ModelProto:
    return sentencepiece_model_pb2.ModelProto.FromString(model)


def read_as_the_format_is_told(path: Path) -> tuple[list[str], list[float], list[int]]:
    """The whole of a reader of plain files, which knows no more than to skip comments."""
    pieces, scores, types = [], [], []
    for line in path.open():
        if line.startswith("#"):
            continue
        b64, score, kind = line.split()
        pieces.append(base64.b64decode(b64).decode("utf-8"))
        scores.append(float(score))
        types.append(int(kind))
    return pieces, scores, types


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *map(str, command)], capture_output=True, text=True, timeout=120
    )


def lines_of(text_lines: dict[str, list[str]]) -> list[str]:
    return [line for lines in text_lines.values() for line in lines[:: len(lines) // LINES + 1]]


# --- Models, to text and back ---


# What models write in another way than most, so that they do not come back byte for byte.
SPELL_NORMAL_OUT = "the type NORMAL, which is the default, is spelled out"
LEAVE_ZERO_OUT = "the score 0, which is the default, is left out"
WRITTEN_OTHERWISE = {
    "mistral_v2": SPELL_NORMAL_OUT,
    "mistral_v3": SPELL_NORMAL_OUT,
    "mistral_v7": SPELL_NORMAL_OUT,
    "botchan_en_unigram_1000": LEAVE_ZERO_OUT,
    "kyoto_ja_unigram_8000": LEAVE_ZERO_OUT,
}


def how_it_is_written(proto: sentencepiece_model_pb2.ModelProto) -> str | None:
    """Of the two ways the one that is in a model, or neither."""
    if any(piece.HasField("type") and piece.type == 1 for piece in proto.pieces):
        return SPELL_NORMAL_OUT
    return None if all(piece.HasField("score") for piece in proto.pieces) else LEAVE_ZERO_OUT


def test_every_model_comes_back(
    model_paths: dict[str, Path], text_lines: dict[str, list[str]], count_pairs: CountPairs
) -> None:
    """As the same file, or with the same pieces, scores (bit for bit), types, specs and ids."""
    texts = lines_of(text_lines)
    identical = compared = mismatches = 0
    for name, path in model_paths.items():
        model = path.read_bytes()
        again = spm_text.to_model_proto(spm_text.from_model_proto(model))
        one, other = parsed(model), parsed(again)
        otherwise = WRITTEN_OTHERWISE.get(name.removeprefix("shared/"))
        assert how_it_is_written(one) == otherwise, name
        assert (again == model) is (otherwise is None), name
        if again == model:
            identical += 1
            continue
        assert [piece.piece for piece in one.pieces] == [piece.piece for piece in other.pieces]
        assert [struct.pack("f", piece.score) for piece in one.pieces] == [
            struct.pack("f", piece.score) for piece in other.pieces
        ]
        assert [piece.type for piece in one.pieces] == [piece.type for piece in other.pieces]
        for spec in ("trainer_spec", "normalizer_spec", "denormalizer_spec"):
            assert getattr(one, spec) == getattr(other, spec), (name, spec)
        assert _native.convert(again) == _native.convert(model)
        oracle = sentencepiece.SentencePieceProcessor(model_proto=model)
        ours = spmlite.SentencePieceProcessor(model_proto=again)
        expected, found = oracle.encode(texts), ours.encode(texts)
        compared += len(texts)
        mismatches += sum(a != b for a, b in zip(expected, found, strict=True))
    what = f"{len(model_paths)} models, {identical} of them the same file, byte for byte"
    count_pairs(f"{what}; ids of the others", compared, mismatches)
    assert mismatches == 0


def test_scores_are_the_shortest_decimals(model_paths: dict[str, Path]) -> None:
    """numpy finds the shortest digits of a float32 as well."""
    written: set[str] = set()
    for path in model_paths.values():
        text = _native.model_to_spm_text(path.read_bytes(), True, False, "").decode()
        written.update(line.split()[1] for line in text.splitlines()[::20])
    for score in written:
        value = np.float32(score)
        digits = np.format_float_scientific(value, unique=True, trim="-")
        assert float(score) == float(digits), score
        if abs(value) < 2**24:  # beyond that numpy writes more digits than needed
            assert score == np.format_float_positional(value, unique=True, trim="0")
    print(f"{len(written)} scores")
    assert len(written) > 1000


@pytest.fixture(scope="session")
def gemma(model_paths: dict[str, Path]) -> Path:
    for name in ("gemma3", "shared/gemma3_rebuilt"):
        if name in model_paths:
            return model_paths[name]
    pytest.skip("no Gemma 3 could be had from a registry")


def test_what_is_in_gemma_3(gemma: Path, tmp_path: Path) -> None:
    path = tmp_path / "gemma3.spm"
    path.write_bytes(spm_text.from_model_proto(gemma.read_bytes()))
    pieces, scores, types = read_as_the_format_is_told(path)
    assert len(pieces) == len(scores) == 262_144
    assert Counter(types) == {1: 255_474, 4: 6_410, 3: 3, 6: 256, 2: 1}
    user_defined = {p for p, t in zip(pieces, types, strict=True) if t == 4}
    assert {"<blockquote>", "\n", "\n\n"} < user_defined
    assert (pieces[0], scores[0], types[0]) == ("<pad>", 0.0, 3)
    body = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    assert body[:3] == ["PHBhZD4= 0.0 3", "PGVvcz4= 0.0 3", "PGJvcz4= 0.0 3"]


def test_gemma_3_is_written_and_verified_in_under_three_seconds(gemma: Path) -> None:
    model = gemma.read_bytes()
    start = time.process_time()
    spm_text.from_model_proto(model)
    took = time.process_time() - start
    print(f"{took:.2f} s")
    assert took < 3


# --- Plain files ---


@pytest.mark.parametrize(
    ("recipe", "names"),
    [
        ("", ("gemma3", "shared/gemma3_rebuilt")),
        ("gemma", ("gemma3", "shared/gemma3_rebuilt")),
        ("llama2", ("shared/llama2",)),
        ("llama2", ("mistral_v1",)),
        ("t5", ("shared/t5_base",)),
    ],
)
def test_a_recipe_says_what_a_plain_file_lacks(
    recipe: str,
    names: tuple[str, ...],
    model_paths: dict[str, Path],
    text_lines: dict[str, list[str]],
    count_pairs: CountPairs,
) -> None:
    name = next((name for name in names if name in model_paths), None)
    if name is None:
        pytest.skip(f"{names[0]} could not be had")
    model = model_paths[name].read_bytes()
    plain = spm_text.from_model_proto(model, plain=True)
    assert spm_text.is_plain(plain)
    completed = spm_text.to_model_proto(plain, recipe)
    oracle = sentencepiece.SentencePieceProcessor(model_proto=model)
    ours = spmlite.SentencePieceProcessor(model_proto=completed)
    # The rules of T5 are those of an older Unicode.
    texts = [line for line in lines_of(text_lines) if recipe != "t5" or line.isascii()]
    pairs = zip(oracle.encode(texts), ours.encode(texts), strict=True)
    mismatches = sum(expected != found for expected, found in pairs)
    count_pairs(f"{name}, plain, recipe {recipe or 'none'}", len(texts), mismatches)
    assert mismatches == 0
    for special in ("unk_id", "bos_id", "eos_id", "pad_id"):
        assert getattr(ours, special)() == getattr(oracle, special)()


def test_without_a_recipe_a_plain_file_is_refused_with_a_hint() -> None:
    with pytest.raises(ValueError, match=r"the file is plain.*gemma, llama2, t5"):
        spm_text.to_model_proto(b"PHVuaz4= 0.0 2\n")


def test_fields_replace_what_the_file_says(model_paths: dict[str, Path]) -> None:
    model = min(model_paths.values(), key=lambda path: path.stat().st_size).read_bytes()
    text = spm_text.from_model_proto(model)
    changed = spm_text.to_model_proto(text, fields={"trainer_spec.unk_surface": '"?"'})
    assert parsed(changed).trainer_spec.unk_surface == "?"
    assert parsed(changed).normalizer_spec == parsed(model).normalizer_spec


# --- Rules by name ---


def test_rules_that_have_a_name_may_be_written_as_that(model_paths: dict[str, Path]) -> None:
    if "trained_unigram" not in model_paths:
        pytest.skip("there is no text to train a model on")
    model = model_paths["trained_unigram"].read_bytes()
    whole = spm_text.from_model_proto(model)
    short = spm_text.from_model_proto(model, charsmap_by_name=True)
    charsmap = parsed(model).normalizer_spec.precompiled_charsmap
    digest = hashlib.sha256(charsmap).hexdigest()
    assert f"precompiled_charsmap: rule:nmt_nfkc sha256:{digest}\n".encode() in short
    assert len(whole) - len(short) > 300_000
    assert spm_text.to_model_proto(short) == spm_text.to_model_proto(whole) == model


def test_rules_of_another_version_are_not_taken_for_those_that_are_meant() -> None:
    text = b"# normalizer_spec.precompiled_charsmap: rule:nfkc sha256:00\nPHVuaz4= 0.0 2\n"
    with pytest.raises(ValueError, match="another version of sentencepiece has them"):
        spm_text.to_model_proto(text)
    with pytest.raises(ValueError, match=r"there is no nfkcx\.bin"):
        spm_text.to_model_proto(text.replace(b"nfkc ", b"nfkcx "))


# --- What is verified ---


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b"\nPHM+ 0.0 3\n", b"\nPHM+ 0.0 4\n", "differs at id 1"),
        (b"\nPHM+ 0.0 3\n", b"\nPHM+ -0.0 3\n", "differs at id 1"),
        (b"\nPHM+ 0.0 3\n", b"\nPHQ+ 0.0 3\n", "differs at id 1"),
        (b"\nPHM+ 0.0 3\n", b"\n", "differs at id 1"),
        (b"add_dummy_prefix: true", b"add_dummy_prefix: false", "add_dummy_prefix: true"),
    ],
    ids=["type", "score", "piece", "line", "header"],
)
def test_a_text_that_says_something_else_is_found(
    old: bytes, new: bytes, message: str, model_path: Path
) -> None:
    model = model_path.read_bytes()
    text = spm_text.from_model_proto(model)
    spm_text.verify(model, text)
    assert old in text
    altered = text.replace(old, new).replace(b"# pieces: 277\n", b"")
    with pytest.raises(RuntimeError, match=message):
        spm_text.verify(model, altered)


# --- Faults, by way of what loads models ---


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (b"", "line 3 is empty"),
        (b"YQ= 0.0 1", "line 3 has a piece that is no base64"),
        (b"/w== 0.0 1", "line 3 has a piece that is no UTF-8"),
        (b"YQ== zero 1", "line 3 has the score zero, which is no float32"),
        (b"YQ== 0.0 one", "line 3 has the type one"),
        (b"YQ== 0.0", "line 3 has no type"),
        (b"YQ== 7", "line 3 has a piece and a rank and no type, as .tiktoken files have"),
        (b"PHVuaz4= 0.0 3", 'line 3 has the piece "<unk>", as line 2 has'),
    ],
)
def test_a_line_that_is_wrong_is_named(line: bytes, fault: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.spm"
    path.write_bytes(b"# trainer_spec.model_type: BPE\nPHVuaz4= 0.0 2\n" + line + b"\nYg== 0.0 1\n")
    with pytest.raises(RuntimeError) as raised:
        spmlite.SentencePieceProcessor(model_file=path)
    assert str(raised.value).startswith(f"{path}: {fault}")


def test_the_tool_takes_it_too(model_path: Path, tmp_path: Path) -> None:
    if not TOOL.is_file():
        pytest.skip("build/spm_to_fb is not there: scripts/build makes it")
    text, output = tmp_path / "tiny.spm", tmp_path / "tiny.spm.fb"
    text.write_bytes(spm_text.from_model_proto(model_path.read_bytes()))
    subprocess.run([TOOL, f"--model={text}", f"--output={output}"], check=True)
    assert output.read_bytes() == _native.convert(model_path.read_bytes())
    text.write_bytes(spm_text.from_model_proto(model_path.read_bytes(), plain=True))
    command = [TOOL, f"--model={text}", f"--output={output}"]
    refused = subprocess.run(command, capture_output=True, text=True)
    assert (refused.returncode, "the file is plain" in refused.stderr) == (1, True)
    subprocess.run([*command, "--recipe=llama2"], check=True)
    assert spmlite.SentencePieceProcessor(model_file=output).encode("Hello") == [260]


# --- The command line and the script ---


def spmlite_command(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return run("-m", "spmlite", *arguments)


def test_convert_to_text_and_back(model_path: Path, tmp_path: Path) -> None:
    text, model, blob = (tmp_path / f"tiny{ending}" for ending in (".spm", ".model", ".spm.fb"))
    assert spmlite_command("convert", model_path, text).returncode == 0
    assert spmlite_command("convert", text, model).returncode == 0
    assert model.read_bytes() == model_path.read_bytes()
    assert spmlite_command("convert", text, blob).returncode == 0
    assert spmlite.SentencePieceProcessor(model_file=blob).encode("Hello") == [260]
    assert spmlite.SentencePieceProcessor(model_file=text).encode("Hello") == [260]
    facts = json.loads(spmlite_command("inspect", "--json", text).stdout)
    assert (facts["kind"], facts["pieces"]) == (".spm", 277)


def test_convert_with_a_recipe_and_fields(model_path: Path, tmp_path: Path) -> None:
    plain, output = tmp_path / "plain.spm", tmp_path / "out.model"
    assert spmlite_command("convert", "--plain", model_path, plain).returncode == 0
    assert plain.read_text().startswith("PHVuaz4= 0.0 2\n")
    refused = spmlite_command("convert", plain, output)
    assert refused.returncode == 1
    assert refused.stderr.startswith(f"spmlite: {plain}: the file is plain")
    field = "--set=normalizer_spec.add_dummy_prefix=false"
    result = spmlite_command("convert", "--recipe", "llama2", field, plain, output)
    assert result.returncode == 0
    assert not parsed(output.read_bytes()).normalizer_spec.add_dummy_prefix
    assert parsed(output.read_bytes()).trainer_spec.byte_fallback


def test_convert_with_comments(model_path: Path, tmp_path: Path) -> None:
    text = tmp_path / "tiny.spm"
    assert spmlite_command("convert", "--comments", model_path, text).returncode == 0
    assert '\nPHM+ 0.0 3  # "<s>" CONTROL\n' in text.read_text("utf-8")
    assert spmlite.SentencePieceProcessor(model_file=text).encode("Hello") == [260]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--plain", "tiny.model", "a.model"), "are for a .spm"),
        (("--recipe=t5", "tiny.model", "a.spm"), "--recipe and --set are for a .spm"),
        (("--set=x", "tiny.spm", "a.model"), "has the form FIELD=VALUE"),
        (("--set=x.y=1", "tiny.spm", "a.model"), '"x.y: 1" is no field'),
        (("tiny.model", "a.txt"), "the name must end in .spm.fb, .model, .spm or .json"),
    ],
)
def test_convert_tells_what_does_not_go_together(
    arguments: tuple[str, ...], message: str, model_path: Path, tmp_path: Path
) -> None:
    (tmp_path / "tiny.model").write_bytes(model_path.read_bytes())
    (tmp_path / "tiny.spm").write_bytes(spm_text.from_model_proto(model_path.read_bytes()))
    result = subprocess.run(
        [sys.executable, "-m", "spmlite", "convert", *arguments],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert (result.returncode, message in result.stderr) == (1, True), result.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tiny.model", "tiny.spm"]


def test_the_script_extracts_and_verifies(model_path: Path, tmp_path: Path) -> None:
    output = tmp_path / "tiny.spm"
    result = run(SCRIPT, "--model", model_path, "--output", output, "--verify")
    assert (result.returncode, result.stderr) == (0, "")
    assert output.read_bytes() == spm_text.from_model_proto(model_path.read_bytes())
    assert "277 pieces" in result.stdout
    assert "256 BYTE" in result.stdout
    assert "verified: 277 pieces" in result.stdout
    assert f"compared with sentencepiece {sentencepiece.__version__}: the same" in result.stdout


def test_the_script_finds_what_sentencepiece_does_not_say(model_path: Path) -> None:
    processor = sentencepiece.SentencePieceProcessor(model_proto=model_path.read_bytes())
    text = spm_text.from_model_proto(model_path.read_bytes())
    spm_vocabulary.compare_with_sentencepiece(processor, spm_text.read_lines(text))
    altered = text.replace(b"\nPHM+ 0.0 3\n", b"\nPHM+ 0.0 1\n")
    with pytest.raises(RuntimeError, match="another type at id 1"):
        spm_vocabulary.compare_with_sentencepiece(processor, spm_text.read_lines(altered))


def test_the_script_says_what_is_left_out(gemma_tokenizer_json: Path, tmp_path: Path) -> None:
    result = run(SCRIPT, "--model", gemma_tokenizer_json, "--output", tmp_path / "gemma.spm")
    assert result.returncode == 0
    left_out = 'left out, as not in model.vocab: "<image_soft_token>"'
    assert result.stderr == f"extract_spm_vocab: {gemma_tokenizer_json}: {left_out}\n"


def test_the_script_says_what_is_wrong(tmp_path: Path) -> None:
    foreign = tmp_path / "a.model"
    foreign.write_bytes(b"<!DOCTYPE html>")
    result = run(SCRIPT, "--model", foreign, "--output", tmp_path / "a.spm")
    assert result.returncode == 1
    assert result.stderr.startswith(f"extract_spm_vocab: {foreign}: this is no model")
    assert not (tmp_path / "a.spm").exists()
