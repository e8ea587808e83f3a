"""What leaves the page: a link, the clipboard, a file."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import spmlite as spm
from clipboard import copied_by
from playground import Playground
from playwright.sync_api import BrowserContext, expect

TEXT = 'café, "quoted" 👋\n  twice  & more = 100 % #1'


@pytest.fixture
def clipboard(context: BrowserContext) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])


def copied_link(playground: Playground) -> str:
    button = playground.page.get_by_role("button", name="Copy link")
    return copied_by(button, playground.text_panel.locator(".copy-outcome"))


@pytest.mark.usefixtures("clipboard")
@pytest.mark.parametrize("text", [TEXT, "人間 are born free\n" * 300, ""])
def test_a_link_carries_text_models_view_and_limit(
    playground: Playground, open_playground: Callable[..., Playground], text: str
) -> None:
    playground.text.fill(text)
    playground.model("Demo BPE").check()
    playground.choose("Ids")
    playground.page.get_by_label("Limit in tokens").fill("77")
    playground.column("Demo BPE").wait()
    link = copied_link(playground)
    print(f"  {len(text)} characters, a link of {len(link)}")
    assert len(link) < 1_000
    assert playground.page.url == link
    other = open_playground(link)
    expect(other.text).to_have_value(text)
    other.column("Demo Unigram").wait()
    other.column("Demo BPE").wait()
    expect(other.page.get_by_role("radio", name="Ids")).to_be_checked()
    expect(other.page.get_by_label("Limit in tokens")).to_have_value("77")
    # Of long texts, those in sight: how many may differ.
    both = zip(other.column("Demo BPE").ids(), playground.column("Demo BPE").ids(), strict=False)
    assert all(a == b for a, b in both)


def test_a_link_that_is_followed_within_the_page_changes_it(playground: Playground) -> None:
    playground.page.evaluate("location.hash = 'text=from+a+link&models=bpe'")
    expect(playground.text).to_have_value("from a link")
    expect(playground.page.locator(".tokens-panel")).to_have_count(1)
    expect(playground.column("Demo BPE").panel).to_be_visible()


def test_a_link_made_with_a_file_says_which_file_to_open(playground: Playground) -> None:
    playground.page.evaluate("location.hash = 'text=a&models=file:llama2.model'")
    expect(playground.problem).to_contain_text("made with llama2.model")


def test_a_damaged_link_is_told(playground: Playground) -> None:
    playground.page.evaluate("location.hash = 'packed=AAAAAAAA&models=unigram'")
    expect(playground.problem).to_contain_text("damaged")


@pytest.mark.usefixtures("clipboard")
def test_a_text_too_long_for_a_link_is_told(playground: Playground) -> None:
    playground.type("".join(chr(0x4E00 + i * 7919 % 20_000) for i in range(30_000)))
    playground.page.get_by_role("button", name="Copy link").click()
    expect(playground.text_panel.locator(".copy-outcome")).to_contain_text("too long")
    assert "#" not in playground.page.url


@pytest.mark.usefixtures("clipboard")
@pytest.mark.parametrize("way", ["Copy", "Download"])
def test_ids_json_and_csv_have_what_python_says(
    playground: Playground, site_folder: Path, way: str
) -> None:
    playground.type(TEXT)
    processor = spm.SentencePieceProcessor(
        model_file=str(site_folder / "models/demo_unigram.spm.fb")
    )
    ids = processor.encode(TEXT)
    assert exported(playground, "Ids", way) == " ".join(map(str, ids))

    tokens = json.loads(exported(playground, "JSON", way))
    assert tokens["text"] == TEXT
    assert [token["id"] for token in tokens["tokens"]] == ids
    pieces = [token["piece"] for token in tokens["tokens"]]
    assert pieces == processor.encode(TEXT, return_type=str)
    offsets = processor.encode(TEXT.encode(), return_type="offset_mapping")["offsets"]
    assert [(t["byteBegin"], t["byteEnd"]) for t in tokens["tokens"]] == offsets
    units = TEXT.encode("utf-16-le")
    for token in tokens["tokens"]:
        surface = units[2 * token["begin"] : 2 * token["end"]].decode("utf-16-le")
        assert surface.encode() == TEXT.encode()[token["byteBegin"] : token["byteEnd"]]

    rows = list(csv.DictReader(io.StringIO(exported(playground, "CSV", way), newline="")))
    assert [int(row["id"]) for row in rows] == ids
    assert [row["piece"] for row in rows] == pieces


def exported(playground: Playground, format_: str, way: str) -> str:
    """What the page gives in a format, through the clipboard or as a file."""
    bar = playground.panel.locator(".export-bar")
    bar.get_by_role("combobox").select_option(label=format_)
    if way == "Download":
        with playground.page.expect_download() as download:
            bar.get_by_role("button", name="Download").click()
        return Path(download.value.path()).read_bytes().decode()
    return copied_by(bar.get_by_role("button", name="Copy"), bar.locator(".copy-outcome"))
