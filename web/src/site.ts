/** The address of a file of the site, `path` being relative to the site's folder. */
export function siteAddress(path: string): URL {
  return new URL(path, document.baseURI);
}
