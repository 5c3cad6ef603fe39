/** The package is invalid. The sentence is for its uploader and never contains a path of this host. */
export class PackageFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PackageFault';
  }
}

/** Text out of a package for a sentence of ours: short, and nothing that could break a line. */
export function shown(text: string): string {
  const plain = text.replace(/[^\x20-\x7e]/g, '?');
  return plain.length > 120 ? `${plain.slice(0, 117)}...` : plain;
}

/** @param why in the words of the library, which may end in full stops */
export const notZip = (why: string): PackageFault =>
  new PackageFault(`The file is not a valid ZIP archive: ${shown(why.replace(/[.\s]+$/, ''))}.`);
