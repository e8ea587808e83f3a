// The text, and the part of it that is in the box.

import { batch, computed, signal } from "@preact/signals";
import { LONGEST, type Section, sectionsOf } from "../text/sections.ts";
import { SAMPLE_TEXT } from "./sample-text.ts";

/** The whole text. */
export const text = signal(SAMPLE_TEXT);

/** Where the text may be cut for editing; one section for all but very long texts. */
export const sections = signal<readonly [Section, ...Section[]]>(sectionsOf(SAMPLE_TEXT));

/** Which section is in the box. */
export const sectionIndex = signal(0);

const section = computed<Section>(() => sections.value[sectionIndex.value] ?? sections.value[0]);

/** What is in the box. */
export const boxText = computed(() => text.value.slice(section.value.begin, section.value.end));

/** Replaces the whole text. */
export function setText(whole: string): void {
  batch(() => {
    text.value = whole;
    sections.value = sectionsOf(whole);
    sectionIndex.value = 0;
  });
}

/** Takes over what was typed into the box. */
export function setBoxText(typed: string): void {
  const { begin, end } = section.value;
  const whole = text.value.slice(0, begin) + typed + text.value.slice(end);
  batch(() => {
    text.value = whole;
    if (typed.length <= LONGEST) grow(typed.length - (end - begin));
    else cutAnew(begin);
  });
}

/**
 * Puts a text in the place of [begin, end) of what is in the box. Gives the place in the box
 * where it ends.
 */
export function insertIntoBox(inserted: string, begin: number, end: number): number {
  const typed = boxText.value.slice(0, begin) + inserted + boxText.value.slice(end);
  const place = section.value.begin + begin + inserted.length;
  setBoxText(typed);
  showPlace(place);
  return place - section.value.begin;
}

/** Brings a place of the text, in UTF-16 units, into the box. */
export function showPlace(place: number): void {
  const found = sections.value.findIndex(({ end }) => place < end);
  sectionIndex.value = found < 0 ? sections.value.length - 1 : found;
}

// What lies behind the section moves; nothing is cut anew while somebody types.
function grow(by: number): void {
  const [first, ...rest] = sections.value.map(({ begin, end }, i) => ({
    begin: i > sectionIndex.value ? begin + by : begin,
    end: i >= sectionIndex.value ? end + by : end,
  }));
  if (first !== undefined) sections.value = [first, ...rest];
}

function cutAnew(place: number): void {
  sections.value = sectionsOf(text.value);
  showPlace(place);
}
