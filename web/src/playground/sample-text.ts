/** What a visitor finds: several scripts, digits, runs of spaces, an emoji. */
export const SAMPLE_TEXT = `All human beings are born free and equal in dignity and rights.
Toutes les personnes naissent libres — café, 12 345 €.
すべての人間は、生まれながらにして自由である。 人人生而自由
सभी मनुष्य जन्म से स्वतन्त्र हैं   👋🏽`;
