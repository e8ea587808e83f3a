import { useSignal } from "@preact/signals";

/** What is said for a while of something that was done, and how to say it. */
export function useOutcome(milliseconds: number): [said: string, say: (sentence: string) => void] {
  const said = useSignal<{ readonly sentence: string } | undefined>(undefined);
  const say = (sentence: string) => {
    const own = { sentence };
    said.value = own;
    setTimeout(() => {
      // Not what was said since, which has its own time.
      if (said.value === own) said.value = undefined;
    }, milliseconds);
  };
  return [said.value?.sentence ?? "", say];
}
