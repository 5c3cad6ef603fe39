/** Samples of a metrics page by name, labels included as they are written. */
export type Samples = ReadonlyMap<string, number>;

/** Reads a server's `/metrics`. */
export async function readMetrics(url: string): Promise<Samples> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => /^\w/.test(line));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

/** Growth of the counters of live screens with one encoding since `before`. */
export function screenCounts(now: Samples, before: Samples, encoding: string) {
  const grown = (name: string) => {
    const sample = `runcloud_screen_${name}{encoding="${encoding}"}`;
    return (now.get(sample) ?? 0) - (before.get(sample) ?? 0);
  };
  return {
    encodings: grown('encodings_total'),
    packets: grown('packets_total'),
    bytes: grown('bytes_total'),
    leftOut: grown('left_out_total'),
  };
}
