"""Merge trees, lattices, n-best and draws: what the page computes is what the engine does."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import numpy as np
import pytest
import spmlite as spm
from playground import Playground
from playwright.sync_api import Locator, expect

MINUS = "\N{MINUS SIGN}"
SENTENCE = "All human beings are born free and equal"
DRAWS = 12


def processor(site_folder: Path, name: str) -> spm.SentencePieceProcessor:
    return spm.SentencePieceProcessor(model_file=str(site_folder / "models" / f"{name}.spm.fb"))


def part(playground: Playground, heading: str) -> Locator:
    """A part of the panel by its heading."""
    title = playground.page.get_by_role("heading", name=re.compile(heading))
    return playground.page.locator(".how-part").filter(has=title)


def lines(list_: Locator, item: str) -> list[str]:
    return [
        text.replace("\n", " ").replace(MINUS, "-")
        for text in list_.locator(item).all_inner_texts()
    ]


def choose_token(playground: Playground, piece: str) -> None:
    playground.tokens.filter(has_text=re.compile(f"^{re.escape(piece)}\\s*\\d+$")).first.click()


def merges(of: spm.SentencePieceProcessor, word: str) -> tuple[list[str], list[str]]:
    """What is merged, in order, and what is left: BPE from scores alone."""
    symbols = list(word)
    steps: list[str] = []
    unknown = of.unk_id()
    while True:
        pairs = [a + b for a, b in itertools.pairwise(symbols)]
        known = [
            (of.get_score(id_), -i)
            for i, p in enumerate(pairs)
            if (id_ := of.piece_to_id(p)) != unknown
        ]
        if not known:
            return steps, symbols
        at = -max(known)[1]
        steps.append(f"{symbols[at]} + {symbols[at + 1]} → {pairs[at]}")
        symbols[at : at + 2] = [pairs[at]]


@pytest.mark.parametrize("word", ["human", "dignity", "equal"])
def test_a_merge_tree_has_the_merges_that_the_scores_ask_for(
    playground: Playground, site_folder: Path, word: str
) -> None:
    playground.use("Demo BPE")
    playground.type(f"born {word} rights")
    model = processor(site_folder, "demo_bpe")
    pieces = model.encode(f"born {word} rights", return_type=str)
    first = next(piece for piece in pieces if piece.startswith(f"▁{word[0]}"))
    choose_token(playground, first)
    steps, left = merges(model, f"▁{word}")
    found = part(playground, "^Merges$")
    expect(found.locator(".tree > li")).to_have_count(len(left))
    shown = [line.split(" score ")[0] for line in lines(found, ".merge-steps > li")]
    assert shown == steps
    roots = found.locator(".tree > li > .tree-piece").all_inner_texts()
    assert [re.sub(r"\s*\d+$", "", root) for root in roots] == left
    assert "".join(pieces).find("".join(left)) >= 0
    expect(found).not_to_contain_text("came out differently")
    print(f"  {word}: {len(steps)} merges")


def test_the_lattice_has_every_piece_and_its_best_path_is_the_encoding(
    playground: Playground, site_folder: Path
) -> None:
    playground.type(SENTENCE)
    model = processor(site_folder, "demo_unigram")
    choose_token(playground, "▁being")
    word = "▁beings"
    pieces = {word[i:j] for i in range(len(word)) for j in range(i + 1, len(word) + 1)}
    known = sorted(piece for piece in pieces if model.piece_to_id(piece) != model.unk_id())
    found = part(playground, "^Lattice$")
    expect(found.locator(".lattice-edge[data-best=true]")).to_have_count(2)
    edges = {line.split()[-2]: line.split()[-1] for line in lines(found, ".lattice-edge")}
    assert sorted(edges) == known
    for piece, score in edges.items():
        exact = model.get_score(model.piece_to_id(piece))
        assert float(score) == pytest.approx(exact, abs=0.006)
    best = [line.split()[-2] for line in lines(found, ".lattice-edge[data-best=true]")]
    assert best == ["▁being", "s"]
    total = np.float32(0)
    for piece in best:
        total += np.float32(model.get_score(model.piece_to_id(piece)))
    expect(found).to_contain_text(f"sum up to {total:.4f}".replace("-", MINUS))


def test_characters_without_a_piece_are_told_of(playground: Playground) -> None:
    for model, heading in (("Demo Unigram", "^Lattice$"), ("Demo BPE", "^Merges$")):
        playground.use(model)
        playground.type("a 👋 b")
        playground.list.focus()
        playground.page.keyboard.press("Home")
        for _ in range(2):
            playground.page.keyboard.press("ArrowRight")
        expect(part(playground, heading)).to_contain_text("spelled in bytes")
        expect(part(playground, heading)).to_contain_text("👋")
        expect(part(playground, heading)).not_to_contain_text("came out differently")


def test_the_best_cuts_are_those_of_python(playground: Playground, site_folder: Path) -> None:
    playground.type(SENTENCE)
    found = processor(site_folder, "demo_unigram").nbest_encode(
        SENTENCE, nbest_size=8, out_type=str
    )
    best = part(playground, "best cuts")
    expect(best.locator(".cuts > li")).to_have_count(8)
    cuts = [row.locator(".cut-piece").all_inner_texts() for row in best.locator(".cuts > li").all()]
    assert cuts == found


@pytest.mark.parametrize(
    ("label", "name", "field", "value", "alpha"),
    [
        ("Demo Unigram", "demo_unigram", "Temperature", "4", 0.25),
        ("Demo BPE", "demo_bpe", "Dropout", "0.3", 0.3),
    ],
)
def test_draws_hang_on_seed_and_temperature_as_in_python(
    playground: Playground,
    site_folder: Path,
    label: str,
    name: str,
    field: str,
    value: str,
    alpha: float,
) -> None:
    playground.use(label)
    playground.type(SENTENCE)
    drawn = part(playground, "drawn")
    drawn.get_by_label(field).fill(value)
    drawn.get_by_label("Seed").fill("7")
    model = processor(site_folder, name)
    expected = []
    for seed in range(7, 7 + DRAWS):
        spm.set_random_generator_seed(seed)
        sampled = model.encode(
            SENTENCE, out_type=str, enable_sampling=True, alpha=alpha, nbest_size=-1
        )
        expected.append(sampled)
    distinct = {" ".join(cut) for cut in expected}
    expect(drawn.locator(".cuts > li")).to_have_count(len(distinct))
    rows = drawn.locator(".cuts > li").all()
    shown = {" ".join(row.locator(".cut-piece").all_inner_texts()) for row in rows}
    times = [int(row.locator(".cut-note").inner_text().split()[0]) for row in rows]
    print(f"  {len(distinct)} distinct of {DRAWS}")
    assert sum(times) == DRAWS
    assert shown == distinct
