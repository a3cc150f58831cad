/** The fields of each line of an RFC 4180 text, parsed in a slow and simple way. Throws for anything else. */
export const parseCsv = (text: string): string[][] => {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; at < text.length; ) {
    let field = '';
    if (text[at] === '"') {
      for (at += 1; ; at += 1) {
        if (at >= text.length) throw new Error('a quoted field does not end');
        if (text[at] !== '"') field += text[at];
        else if (text[at + 1] === '"') {
          field += '"';
          at += 1;
        } else break;
      }
      at += 1;
    } else {
      const end = /[",\r\n]/.exec(text.slice(at, at + 100_000))?.index ?? text.length - at;
      field = text.slice(at, at + end);
      at += end;
    }
    row.push(field);
    if (text[at] === ',') {
      at += 1;
      if (text.startsWith('\r\n', at)) row.push('');
    }
    if (text.startsWith('\r\n', at)) {
      rows.push(row);
      row = [];
      at += 2;
    } else if (text[at - 1] !== ',') throw new Error(`neither a comma nor a line's end at ${at}`);
  }
  if (row.length > 0) throw new Error('the last line does not end');
  return rows;
};
