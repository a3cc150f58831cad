/** Subjects that hide the noun. */
const HIDDEN_SUBJECT = /^(What|Who|Whoever|Whatever|Those (that|who)|One (that|who))\b/;

/** Text without markup, in which code and links count as words. */
const plain = (text: string): string =>
  text
    .replace(/`[^`]*`/g, 'x')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]*>/g, 'x')
    .replace(/\*+/g, '');

/** Sentences of a text. A semicolon, and a colon before a capital letter, end a sentence, too. */
const sentencesOf = (text: string): readonly string[] =>
  plain(text)
    .split(/(?<=[.!?:])\s+(?=[A-Zx"'(\d])|;\s+|\n{2,}|\n- /)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');

/** Sentences that begin with a pronoun where a reader needs the noun, each with its fault and an example. */
export const proseFaults = (text: string): readonly string[] =>
  sentencesOf(text).flatMap((sentence) => {
    const pronoun = HIDDEN_SUBJECT.exec(sentence)?.[0];
    if (pronoun === undefined) return [];
    return [
      `"${sentence}" begins with "${pronoun}". Name the thing: "A refund that fails", not "What fails".`,
    ];
  });

/**
 * Comments that begin with one of these words are rarely whole sentences, because they depend on a noun that is
 * somewhere else.
 */
const FRAGMENT = /^(Of|Those|By|That|The same)\b/;

/** The fault of a comment that begins like a fragment, with an example; empty for any other. */
export const fragmentFaults = (comment: string): readonly string[] => {
  const opening = FRAGMENT.exec(comment)?.[0];
  return opening === undefined
    ? []
    : [
        `"${comment}" begins with "${opening}". Write a whole sentence: "Hash of the line", not "Of the line".`,
      ];
};

/** The line of a file, counted from 1, on which a quoted sentence begins; the first line where it is not found. */
export const lineOf = (file: string, fault: string): number => {
  const [, opening = ''] = /^"(\S+ \S+)/.exec(fault) ?? [];
  return (
    Math.max(
      file.split('\n').findIndex((line) => line.includes(opening)),
      0,
    ) + 1
  );
};

/** Paragraphs, list items and table cells of a page; headings and code are left out. */
export const blocksOf = (page: string): readonly string[] =>
  page
    .replace(/^```[\s\S]*?^```/gm, '')
    .split(/\n{2,}/)
    .flatMap((block) => {
      if (block.startsWith('|')) return block.split('\n').flatMap((row) => row.split('|').slice(1, -1));
      const lines = block.replace(/^#+ .*\n?/gm, '');
      return lines
        .split(/\n(?=(?:\d+\.|-) )/)
        .map((item) => item.replace(/^(?:\d+\.|-) /, '').replace(/\n\s*/g, ' '));
    });

/** Comments of a source without their marks; consecutive `//` lines are one comment. */
export const commentsOf = (source: string): readonly string[] => {
  const blocks = [...source.matchAll(/^[ \t]*\/\*\*?([\s\S]*?)\*\//gm)].map(([, block = '']) =>
    block.replace(/\n\s*\* ?/g, ' '),
  );
  const lines = source.match(/^[ \t]*\/\/.*(?:\n[ \t]*\/\/.*)*/gm) ?? [];
  return [...blocks, ...lines.map((run) => run.replace(/^\s*\/\/ ?/gm, '').replaceAll('\n', ' '))].map(
    (one) => one.trim(),
  );
};
