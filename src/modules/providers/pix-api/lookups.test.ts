import { receivedPix } from './lookups.ts';

const NOW = new Date('2026-06-15T12:00:00.000Z');

/** The Pix of a list with so many pages, one on each. */
const listed = (pages: number) =>
  receivedPix(
    {
      async call(_method, _path, _body, query) {
        const page = Number(query?.['paginacao.paginaAtual'] ?? 0);
        const pix = {
          endToEndId: `E${String(page).padStart(31, '0')}`,
          valor: '1.00',
          horario: NOW.toISOString(),
        };
        const paginacao = { paginaAtual: page, itensPorPagina: 1, quantidadeDePaginas: pages };
        return { status: 'done', body: { parametros: { paginacao }, pix: [pix] } };
      },
      clock: () => NOW,
      noteUnreadable: () => undefined,
    },
    NOW,
  );

describe('a list of received Pix', () => {
  it.each([1, 51, 500])('is read to its end: %i pages', async (pages) => {
    const pixes = await listed(pages);
    expect(new Set(pixes.map(({ endToEndId }) => endToEndId)).size).toBe(pages);
  });

  it('that does not end counts for nothing, rather than in part', async () => {
    await expect(listed(501)).rejects.toThrow('more than 500 pages');
  });
});
