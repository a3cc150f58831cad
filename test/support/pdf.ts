/** The parts of a PDF in PDF syntax (ISO 32000-1). */
type Content = {
  /** Operators that draw each page of 200 by 280 points. */
  readonly pages: readonly string[];
  /** Further entries of the catalog and of each page. */
  readonly catalog?: string;
  readonly page?: string;
};

/** A PDF whose pages write in Helvetica, which is not embedded. */
export const pdfOf = ({ pages, catalog = '', page = '' }: Content): Buffer => {
  const first = 4;
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, at) => `${first + 2 * at} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((drawing, at) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 280] /Resources << /Font << /F 3 0 R >> >>` +
        ` /Contents ${first + 2 * at + 1} 0 R ${page} >>`,
      `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    ]),
  ];
  let file = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  return Buffer.from(
    `${file}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
    'latin1',
  );
};
