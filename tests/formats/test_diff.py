"""`spmlite diff`: what changed between two vocabularies, for people, for programs and for git."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sentencepiece import sentencepiece_model_pb2
from spmlite import _native, diffing, model_file, spm_text, wire
from spmlite.exporting import to_tokenizer_json
from spmlite.model_types import PieceType
from spmlite.tokenizer_json import to_model_proto
from steps.test_data import TestData
from tiny_model import Piece, tiny_model

CHECKOUT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"```sh\n(.*?)```", re.DOTALL)
ATTRIBUTES = re.compile(r"echo '(.*)' >> \.gitattributes")

CountPairs = Callable[[str, int, int], None]
Diff = Callable[..., "subprocess.CompletedProcess[str]"]

# Without what a tokenizer.json does not hold: control pieces beside the usual ones, user-defined
# ones of Unigram, scores that are equal with BPE (Llama 2's runs of spaces).
UNTIED = (
    "botchan_en_bpe_1000",
    "botchan_en_unigram_1000",
    "trained_unigram_plain",
    "gemma3",
    "shared/t5_base",
)


@pytest.fixture
def diff(tmp_path: Path) -> Diff:
    """Runs `spmlite diff` in a folder of the test's own."""

    def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "spmlite", "diff", *map(str, arguments)],
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd=tmp_path,
            timeout=120,
        )

    return run


def changed(text: bytes) -> bytes:
    """The tiny model's `.spm` with one change of every kind."""
    old_and_new = [
        (b"add_dummy_prefix: true", b"add_dummy_prefix: false"),  # a spec
        (b"\n4paBSGVsbG8= 0.0 1\n", b"\n4paBSGVsbG8= -0.5 1\n"),  # a score
        (b"\nPHM+ 0.0 3\n", b"\nPHM+ 0.0 4\n"),  # a type
        (b"\n4paBd29ybGQ= -1.0 1\n", b"\n"),  # a piece, and with it the places of those behind
        (b"# pieces: 277\n", b""),
    ]
    for old, new in old_and_new:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text + b"4paBbmV3 -7.0 1\n"


@pytest.fixture
def old_and_new(tmp_path: Path) -> tuple[Path, Path]:
    old, new = tmp_path / "old.model", tmp_path / "new.spm"
    old.write_bytes(tiny_model())
    new.write_bytes(changed(spm_text.from_model_proto(tiny_model())))
    return old, new


def test_people_read_what_changed(diff: Diff, old_and_new: tuple[Path, Path]) -> None:
    result = diff(*old_and_new)
    assert (result.returncode, result.stderr) == (1, "")
    assert (
        result.stdout
        == f"""\
--- {old_and_new[0]}
+++ {old_and_new[1]}
specs: 2
  trainer_spec.bos_piece: "<s>" -> not there
  normalizer_spec.add_dummy_prefix: true -> false
removed: 1
  -    261 "▁world" -1 NORMAL
added: 1
  +    276 "▁new" -7 NORMAL
moved: 15, in 1 runs
  262..276 "▁H" to "w": -1 (15 pieces, the first 262 -> 261)
scores: 1
       260 "▁Hello" 0 -> -0.5
types: 1
         1 "<s>" CONTROL -> USER_DEFINED
259 of 277 pieces are as they were; there are 277
"""
    )


def test_programs_read_all_of_it(diff: Diff, old_and_new: tuple[Path, Path]) -> None:
    result = diff("--json", *old_and_new)
    assert result.returncode == 1
    assert '{"piece":"▁H","id":262,"new_id":261},' in result.stdout.split("\n")
    found: dict[str, Any] = json.loads(result.stdout)
    moved = found.pop("moved")
    assert found == {
        "pieces": [277, 277],
        "same": False,
        "not_compared": {},
        "scores_alike": "",
        "specs": [
            {"field": "trainer_spec.bos_piece", "before": ['"<s>"'], "after": []},
            {
                "field": "normalizer_spec.add_dummy_prefix",
                "before": ["true"],
                "after": ["false"],
            },
        ],
        "removed": [{"id": 261, "piece": "▁world", "score": -1.0, "type": "NORMAL"}],
        "added": [{"id": 276, "piece": "▁new", "score": -7.0, "type": "NORMAL"}],
        "scores": [
            {"piece": "▁Hello", "id": 260, "new_id": 260, "before": 0.0, "after": -0.5},
        ],
        "types": [
            {"piece": "<s>", "id": 1, "new_id": 1, "before": "CONTROL", "after": "USER_DEFINED"}
        ],
    }
    assert len(moved) == 15
    assert moved[0] == {"piece": "▁H", "id": 262, "new_id": 261}


def test_the_same_gives_nothing_and_the_code_0(diff: Diff, old_and_new: tuple[Path, Path]) -> None:
    old, text = old_and_new[0], old_and_new[0].with_suffix(".spm")
    text.write_bytes(spm_text.from_model_proto(old.read_bytes()))
    result = diff(old, text)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert json.loads(diff("--json", old, text).stdout)["moved"] == []


def test_what_cannot_be_read_gives_the_code_2(diff: Diff, old_and_new: tuple[Path, Path]) -> None:
    old, new = old_and_new
    new.write_bytes(b"PHVuaz4= 0.0\n")
    assert diff(old, new).stderr.startswith(f"spmlite: {new}: line 1 has no type")
    for arguments in ((old, new), (old, "nowhere"), (old,), (old, old, old), ("--textconv",)):
        assert diff(*arguments).returncode == 2


def test_a_file_that_is_no_model_does_not_end_gits_diff(diff: Diff, tmp_path: Path) -> None:
    """Git itself ends, at the first file for which a driver fails."""
    model, page = tmp_path / "tokenizer.model", tmp_path / "page.model"
    model.write_bytes(tiny_model())
    page.write_bytes(b"<!DOCTYPE html>")
    told = diff("--textconv", page)
    assert (told.returncode, told.stderr) == (0, "")
    reason = "this is no model but an HTML or XML page: the download of the model went wrong"
    assert told.stdout == f"not compared, since it cannot be read as a model: {reason}\n"
    told = diff("--git", "tokenizer.model", model, "0" * 40, "100644", page, "1" * 40, "100644")
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout == (
        "spmlite diff tokenizer.model\n"
        f"not compared, since one cannot be read as a model: {page}: {reason}\n"
    )
    assert diff("--textconv", "nowhere").returncode == 2


def test_git_goes_on_when_its_reader_is_gone(old_and_new: tuple[Path, Path]) -> None:
    """As `git diff | head` has it; another exit code makes git say that the driver died."""
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "spmlite", "diff", "--git", "tokenizer.model"]
    old, new = map(str, old_and_new)
    arguments = [*command, old, "0" * 40, "100644", new, "1" * 40, "100644"]
    result = subprocess.run(arguments, stdout=writer, stderr=subprocess.PIPE, timeout=120)
    os.close(writer)
    assert (result.returncode, result.stderr) == (0, b"")


def test_so_many_lines_of_each_kind(diff: Diff, tmp_path: Path) -> None:
    old, new = tmp_path / "old.model", tmp_path / "new.model"
    old.write_bytes(tiny_model())
    new.write_bytes(tiny_model(Piece(f"new{i}", -200.0 - i) for i in range(20)))
    assert "added: 20\n" in diff(old, new).stdout
    assert "  ... 10 more\n" in diff(old, new).stdout
    assert "  ... 18 more\n" in diff("--limit=2", old, new).stdout
    everything = diff("--limit=-1", old, new).stdout
    assert everything.count("\n  + ") == 20
    assert "more" not in everything


def test_what_took_the_place_of_another_is_told_together(diff: Diff, tmp_path: Path) -> None:
    """As Gemma 4 has named markers in place of Gemma 3's `<unusedN>`."""
    old, new = tmp_path / "old.model", tmp_path / "new.model"
    for path, name in ((old, "<unused0>"), (new, "<tool>")):
        path.write_bytes(tiny_model([Piece(name, 0, PieceType.USER_DEFINED)]))
    told = diff(old, new).stdout
    assert '  277 "<unused0>" -> "<tool>" 0 USER_DEFINED\n' in told
    assert "removed: 1, 1 of them above\nadded: 1, 1 of them above\n" in told


def test_plain_files_are_compared_by_their_pieces(diff: Diff, tmp_path: Path) -> None:
    old, new = tmp_path / "old.spm", tmp_path / "new.spm"
    old.write_bytes(b"PHVuaz4= 0.0 2\nYQ== -1.0 1\n")
    new.write_bytes(b"PHVuaz4= 0.0 2\nYQ== -1.0 1\nYg== -2.0 1\n")
    told = diff(old, new)
    assert told.returncode == 1
    assert "specs: not compared, since a plain .spm has none\nadded: 1\n" in told.stdout


def test_what_was_not_compared_is_told_of_the_same_too(diff: Diff, tmp_path: Path) -> None:
    plain, whole = tmp_path / "plain.spm", tmp_path / "whole.model"
    whole.write_bytes(tiny_model())
    plain.write_bytes(spm_text.from_model_proto(tiny_model(), plain=True))
    told = diff(plain, whole)
    assert (told.returncode, told.stdout) == (
        0,
        "specs: not compared, since a plain .spm has none\n",
    )
    found = json.loads(diff("--json", plain, whole).stdout)
    assert found["not_compared"] == {"specs": "since a plain .spm has none"}
    assert (found["same"], found["specs"]) == (True, [])


# --- The same model in several files ---


def test_a_flatbuffer_has_the_same_model(
    model_paths: dict[str, Path], spm_fb_paths: dict[str, Path], count_pairs: CountPairs
) -> None:
    """Without what it lacks: how the model was trained, and the sign of a score of zero."""
    found = [compare_files(path, spm_fb_paths[name]) for name, path in model_paths.items()]
    count_pairs("models and their .spm.fb", len(found), sum(map(bool, found)))
    assert not any(found)
    not_compared = [difference.not_compared for difference in found]
    assert {"training": "since the new model does not tell of it"} in not_compared


def test_a_model_comes_back_the_same_from_a_tokenizer_json(model_paths: dict[str, Path]) -> None:
    names = [name for name in UNTIED if name in model_paths]
    if not names:
        pytest.skip("none of these models is there")
    for name in names:
        model = model_paths[name].read_bytes()
        back = to_model_proto(to_tokenizer_json(model))
        assert not diffing.compare(diffing.read(model), diffing.read(back)), name


def test_llama_2_is_the_same_in_a_gguf_file(data: TestData, model_paths: dict[str, Path]) -> None:
    if "llama-spm.gguf" not in data.foreign or "shared/llama2" not in model_paths:
        pytest.skip("Llama 2 is not there in both kinds")
    difference = compare_files(model_paths["shared/llama2"], data.foreign["llama-spm.gguf"])
    assert not difference
    assert "training" in difference.not_compared


def compare_files(old: Path, new: Path) -> diffing.Difference:
    return diffing.compare(*(diffing.read(model_file.read_file(path)) for path in (old, new)))


@pytest.mark.parametrize("model_type", [1, 2, 3, 4])
def test_what_is_spelled_out_is_the_same_as_what_is_left_out(model_type: int) -> None:
    """All defaults of the oracle's messages."""
    short = sentencepiece_model_pb2.ModelProto()
    short.ParseFromString(tiny_model())
    whole = sentencepiece_model_pb2.ModelProto()
    whole.CopyFrom(short)
    count = 0
    for proto in (short, whole):
        proto.trainer_spec.Clear()
        proto.trainer_spec.model_prefix = "m"  # it tells how it was trained
        proto.trainer_spec.model_type = model_type
        proto.normalizer_spec.Clear()
    whole.trainer_spec.ClearField("model_type")
    if model_type != 1:
        whole.trainer_spec.model_type = model_type
    for message in (whole.trainer_spec, whole.normalizer_spec):
        for field in message.DESCRIPTOR.fields:
            if not field.is_repeated and not message.HasField(field.name):
                setattr(message, field.name, field.default_value)
                count += 1
    assert count > 40
    one, other = (diffing.read(proto.SerializeToString()) for proto in (short, whole))
    assert one.fields != other.fields
    difference = diffing.compare(one, other)
    assert (difference.specs, difference.not_compared) == ({}, {})
    assert not difference


def test_a_role_that_another_piece_plays_is_a_change() -> None:
    proto = sentencepiece_model_pb2.ModelProto()
    proto.ParseFromString(tiny_model())
    old = diffing.read(proto.SerializeToString())
    proto.trainer_spec.eos_piece = "<s>"
    proto.trainer_spec.pad_piece = 'no\n"piece'
    difference = diffing.compare(old, diffing.read(proto.SerializeToString()))
    assert difference.specs == {"trainer_spec.eos_piece": (['"</s>"'], ['"<s>"'])}


@pytest.mark.parametrize(
    ("model_type", "scores", "alike"),
    [
        ("BPE", [-1, -2, -3], True),
        ("BPE", [-10, -20, -30], True),
        ("BPE", [-1, -3, -2], False),
        ("BPE", [-1, -1, -2], False),  # of what is equal BPE takes the first in the text
        ("UNIGRAM", [-1, -2, -3], True),
        ("UNIGRAM", [-10, -20, -30], False),
        ("WORD", [-3, -2, -1], True),
    ],
)
def test_scores_count_as_far_as_the_algorithm_asks_for_them(
    model_type: str, scores: list[float], alike: bool
) -> None:
    models = []
    for special, numbers in ((-0.0, [-1, -2, -3]), (5.0, scores)):
        proto = sentencepiece_model_pb2.ModelProto()
        proto.trainer_spec.model_type = proto.trainer_spec.ModelType.Value(model_type)
        proto.pieces.add(piece="<unk>", score=special, type=2)
        for text, score in zip(("a", "b", "ab"), numbers, strict=True):
            proto.pieces.add(piece=text, score=score)
        models.append(diffing.read(proto.SerializeToString()))
    difference = diffing.compare(*models)
    assert difference.scores
    assert bool(difference.scores_alike) is alike
    assert bool(difference) is not alike


# --- What it shows ---


def test_pieces_may_hold_what_ends_lines_elsewhere(diff: Diff, tmp_path: Path) -> None:
    """Lines end at line feeds: in a comment of a `.spm` other characters stand as they are."""
    separators = "\u2028\u2029\x85\x0b\x0c\x1c\x1d\x1e\r\n"
    pieces = [
        Piece(f"x{separator}y", 0, PieceType.USER_DEFINED) for separator in [*separators, "\r\n"]
    ]
    old, new = tmp_path / "old.model", tmp_path / "new.model"
    old.write_bytes(tiny_model())
    new.write_bytes(tiny_model(pieces))
    assert f"added: {len(pieces)}\n" in diff("--limit=-1", old, new).stdout
    added = json.loads(diff("--json", old, new).stdout)["added"]
    assert [entry["piece"] for entry in added] == [piece.text for piece in pieces]
    listing = list(diffing.listing(new.read_bytes()))
    assert listing[:2] == [".spm 1", f"pieces: {277 + len(pieces)}"]
    assert [f'"x{separator}y" 0.0 USER_DEFINED' for separator in separators[:3]] == listing[
        -len(pieces) : -len(pieces) + 3
    ]
    assert len(listing) == len(list(diffing.listing(old.read_bytes()))) + len(pieces)
    text = spm_text.from_model_proto(new.read_bytes(), comments=True)
    assert diffing.read(text) == diffing.read(new.read_bytes())
    print(f"{len(pieces)} pieces with separators, in {len(listing)} lines")


def test_rules_of_a_normalizer_are_counted_and_told(diff: Diff, tmp_path: Path) -> None:
    paths = []
    for name, rules in (("old", ["a", "b", "c", "d"]), ("new", ["a", "x", "e", "f"])):
        charsmap = _native.compile_charsmap(rules)
        spec = wire.Field(2, wire.BYTES, charsmap).serialize()
        model = tiny_model() + wire.Field(3, wire.BYTES, spec).serialize()
        paths.append(tmp_path / f"{name}.model")
        paths[-1].write_bytes(model)
    told = diff(*paths).stdout
    assert "(rules: 1 removed, 1 added, 1 changed)" in told
    assert "bytes, sha256 " in told
    (spec,) = json.loads(diff("--json", *paths).stdout)["specs"]
    assert spec["rules"] == {
        "removed": [["c", "d"]],
        "added": [["e", "f"]],
        "changed": [["a", "b", "x"]],
    }


def test_gemma_2_and_3_in_under_three_seconds(data: TestData) -> None:
    if "gemma2" not in data.foreign or "gemma3" not in data.tokenizers:
        pytest.skip("Gemma 2 and 3 could not be had from a registry")
    paths = data.foreign["gemma2"], data.tokenizers["gemma3"]
    with pytest.warns(UserWarning, match="<image_soft_token>"):  # it is in no vocabulary
        old, new = (model_file.to_model(path.read_bytes()) for path in paths)
    start = time.process_time()
    difference = diffing.compare(diffing.read(old), diffing.read(new))
    lines = list(diffing.as_text(difference, 10))
    took = time.process_time() - start
    print(f"{took:.2f} s, {len(lines)} lines")
    assert took < 3
    assert len(lines) < 100
    assert len(difference.old.pieces) == 256_000
    assert len(difference.new.pieces) == 262_144
    user_defined = [
        model.types.count(PieceType.USER_DEFINED) for model in (difference.old, difference.new)
    ]
    print(f"user-defined pieces: {user_defined}")
    assert user_defined[1] == 6_410


@pytest.mark.quiet
@pytest.mark.parametrize("option", ["--json", "--limit=10"])
def test_the_command_takes_under_three_seconds_from_file_to_file(
    option: str, diff: Diff, data: TestData
) -> None:
    if "gemma2" not in data.foreign or "gemma3" not in data.tokenizers:
        pytest.skip("Gemma 2 and 3 could not be had from a registry")
    start = time.perf_counter()
    result = diff(option, data.foreign["gemma2"], data.tokenizers["gemma3"])
    took = time.perf_counter() - start
    print(f"{option}: {took:.2f} s, {len(result.stdout):,} characters")
    assert result.returncode == 1
    assert took < 3


# --- git ---


@pytest.fixture
def repository(tmp_path: Path) -> Callable[..., str]:
    """A repository of git's in a folder of the test's own; a function that runs git there."""
    if shutil.which("git") is None:
        pytest.skip("there is no git here")
    environment = os.environ | {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])),
    }

    def git(*arguments: str) -> str:
        identity = ("-c", "user.name=n", "-c", "user.email=e")
        return subprocess.run(
            ["git", *identity, *arguments],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
        ).stdout

    git("init", "--quiet")
    (tmp_path / "tokenizer.model").write_bytes(tiny_model())
    git("add", ".")
    git("commit", "--quiet", "-m", "one")
    text = changed(spm_text.from_model_proto(tiny_model()))
    (tmp_path / "tokenizer.model").write_bytes(spm_text.to_model_proto(text))
    return git


def follow_the_page(way: int, folder: Path, git: Callable[..., str]) -> None:
    """Set git up as docs/spm.md tells, in the first or the second way."""
    section = (CHECKOUT / "docs" / "spm.md").read_text("utf-8").partition("### In git")[2]
    attributes, configuration, last = BLOCK.findall(section)[way].splitlines()
    assert last == "git diff"
    line = ATTRIBUTES.fullmatch(attributes)
    assert line
    (folder / ".gitattributes").write_text(f"{line[1]}\n")
    git(*shlex.split(configuration.removeprefix("git ")))


def test_git_shows_models_as_text(repository: Callable[..., str], tmp_path: Path) -> None:
    follow_the_page(0, tmp_path, repository)
    shown = repository("diff").splitlines()
    assert [line for line in shown if line[:1] in "+-" and line[1:3] not in ("++", "--")] == [
        "-normalizer_spec.add_dummy_prefix: true",
        "+normalizer_spec.add_dummy_prefix: false",
        '-"<s>" 0.0 CONTROL',
        '+"<s>" 0.0 USER_DEFINED',
        '-"▁Hello" 0.0 NORMAL',
        '-"▁world" -1.0 NORMAL',
        '+"▁Hello" -0.5 NORMAL',
        '+"▁new" -7.0 NORMAL',
    ]


def test_git_asks_what_changed(repository: Callable[..., str], tmp_path: Path) -> None:
    follow_the_page(1, tmp_path, repository)
    shown = repository("diff")
    assert shown.startswith("spmlite diff tokenizer.model\nspecs: 2\n")
    assert '\n  -    261 "▁world" -1 NORMAL\n' in shown
    repository("add", ".")
    repository("commit", "--quiet", "-m", "two")
    assert "types: 1\n" in repository("show", "--ext-diff", "--format=")
    (tmp_path / "tokenizer.model").rename(tmp_path / "other.model")
    repository("add", ".")
    moved = repository("diff", "--cached", "--no-renames")
    assert "0 of 0 pieces are as they were; there are 277" in moved
    assert "0 of 277 pieces are as they were; there are 0" in moved
