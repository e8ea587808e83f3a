// Put in by build.mjs, from package.json.
declare const SPMLITE_VERSION: string;

/** The version of this package. */
export const VERSION = SPMLITE_VERSION;
