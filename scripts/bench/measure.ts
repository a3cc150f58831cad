/** The value below which this share of the values lies. */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

export const median = (values: readonly number[]): number => percentile(values, 0.5);

export const elapsed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
};

/**
 * How often a second `clients` concurrent clients complete `work`, measured for this time. `heard` gets the duration of
 * each, in ms.
 */
export const rate = async (
  clients: number,
  seconds: number,
  work: (client: number) => Promise<void>,
  heard: (ms: number) => void = () => undefined,
): Promise<number> => {
  const startedAt = performance.now();
  const until = startedAt + seconds * 1000;
  let done = 0;
  const runClient = async (_: unknown, client: number): Promise<void> => {
    while (performance.now() < until) {
      heard(await elapsed(() => work(client)));
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, runClient));
  return done / ((performance.now() - startedAt) / 1000);
};

/** A row that compares two rates of the gateway, or one with the rate of a bare store. */
export const ratioRow = (
  what: string,
  { a, b, ratio }: Comparison,
  reference: string,
  goal: number,
): Row => ({
  what,
  gateway: a.toFixed(1),
  reference: `${reference}: ${b.toFixed(1)}`,
  result: `${ratio.toFixed(2)} ×`,
  goal: `≥ ${goal} ×`,
  isMet: ratio >= goal,
});

type Comparison = { readonly a: number; readonly b: number; readonly ratio: number };

/**
 * Measures two things in turns, so that noise affects both; returns the median of each and of the ratios of the turns.
 */
export const alternate = async (
  rounds: number,
  a: () => Promise<number>,
  b: () => Promise<number>,
): Promise<Comparison> => {
  const pairs: { a: number; b: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const isFirst = round % 2 === 0;
    const early = await (isFirst ? a() : b());
    const late = await (isFirst ? b() : a());
    pairs.push(isFirst ? { a: early, b: late } : { a: late, b: early });
  }
  return {
    a: median(pairs.map((pair) => pair.a)),
    b: median(pairs.map((pair) => pair.b)),
    ratio: median(pairs.map((pair) => pair.a / pair.b)),
  };
};

/** One row of the report; `isMet` is null where there is no goal. */
export type Row = {
  readonly what: string;
  readonly gateway: string;
  readonly reference: string;
  readonly result: string;
  readonly goal: string;
  readonly isMet: boolean | null;
};

/** The report as a Markdown table, its columns aligned for a terminal. */
export const table = (rows: readonly Row[]): string => {
  const lines = [
    ['Figure', 'Portico', 'Compared with', 'Result', 'Goal', 'Met'],
    ...rows.map((row) => [
      row.what,
      row.gateway,
      row.reference,
      row.result,
      row.goal,
      row.isMet === null ? '' : row.isMet ? 'yes' : 'no',
    ]),
  ];
  const widths =
    lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  const draw = (line: readonly string[]): string =>
    `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = lines;
  return [draw(head), draw(widths.map((width) => '-'.repeat(width))), ...body.map(draw)].join('\n');
};
