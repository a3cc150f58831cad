import { askEach, type Call } from './api.ts';

/** A page of a list. */
export type Page<Row> = {
  readonly data: readonly Row[];
  readonly page: number;
  readonly pages: number;
  readonly total: number;
};

/** The rows of a list over all of its pages; no more than `most`. */
export const rowsOf = async <Row>(
  { operation, input }: Call<Page<Row>>,
  most: number,
): Promise<readonly Row[]> => {
  const { page: _, size: __, ...query } = input.query ?? {};
  const rows: Row[] = [];
  for await (const row of askEach<Row>({ operation, input: { ...input, query } })) {
    if (rows.length === most) break;
    rows.push(row);
  }
  return rows;
};
