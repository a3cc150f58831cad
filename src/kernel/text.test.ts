import { fold, isVisible, tidy } from './text.ts';

describe('a tidied text', () => {
  it.each([
    ['Conceic\u0327a\u0303o', 'Concei\u00e7\u00e3o'],
    [' \tAna Lima\n', 'Ana Lima'],
    ['\u00a0\u200b\ufeffAna\u2060\u3000', 'Ana'],
    ['Ana  Lima', 'Ana  Lima'],
    ['\u2764\ufe0f', '\u2764\ufe0f'],
    [' ', ''],
  ])('is composed and has no outer blanks: %j', (given, expected) => {
    expect(tidy(given)).toBe(expected);
  });
});

describe('a visible text', () => {
  it.each(['a', '\u200ea', '日本', '-', '\u2764\ufe0f'])('has something to be seen: %j', (text) => {
    expect(isVisible(text)).toBe(true);
  });

  it.each([
    '',
    ' ',
    '\u00a0',
    '\u200b',
    '\u200e\u200f',
    '\u202a\u202c',
    '\u2066 \u2069',
    '\u3164',
    '\u2800',
    '\ufe0f',
    '\u00ad',
  ])('is not one of blanks, invisible signs and direction marks: %j', (text) => {
    expect(isVisible(text)).toBe(false);
  });
});

describe('a letter with more marks than any language writes', () => {
  it('keeps thirty of them', () => {
    const marks = '\u0323\u0301';
    expect(tidy(`x${marks.repeat(30_000)}!`)).toBe(`x${'\u0323'.repeat(15)}${'\u0301'.repeat(15)}!`);
    expect(tidy(`x${marks.repeat(15)}`)).toHaveLength(31);
    expect(fold(`x${marks.repeat(30_000)}!`)).toBe(`x${'\u0323'.repeat(15)}!`.replaceAll('\u0323', ''));
  });
});

describe('a folded text', () => {
  it.each([
    ['Ágata', 'agata'],
    ['A\u0301gata', 'agata'],
    ['ZÉ', 'ze'],
    ['İstanbul', 'istanbul'],
    ['Straße', 'strasse'],
    ['Søren Łódź', 'soren lodz'],
    ['ﬁna', 'fina'],
  ])('has neither case nor accents: %s', (given, expected) => {
    expect(fold(given)).toBe(expected);
  });

  it('keeps marks that are no accents', () => {
    expect(fold('\u0915\u093f')).toBe('\u0915\u093f');
  });
});
