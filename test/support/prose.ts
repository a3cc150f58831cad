/** Words of a sentence at most. */
const MOST_WORDS = 20;
/** Subjects that hide the noun. */
const HIDDEN_SUBJECT = /^(What|Who|Whoever|Whatever|Those (that|who)|One (that|who))\b/;

/** Text without marks: code and links count as the words that a reader sees. */
const plain = (text: string): string =>
  text
    .replace(/`[^`]*`/g, 'x')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]*>/g, 'x')
    .replace(/\*+/g, '');

/** Sentences of a text; a semicolon, and a colon before a capital, end one, too. */
const sentencesOf = (text: string): readonly string[] =>
  plain(text)
    .split(/(?<=[.!?:])\s+(?=[A-Zx"'(\d])|;\s+|\n{2,}|\n- /)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');

const wordsOf = (sentence: string): number =>
  sentence.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word)).length;

/** Sentences of a text that are too long, or begin with a pronoun in place of a noun. */
export const proseFaults = (text: string): readonly string[] =>
  sentencesOf(text).filter((sentence) => wordsOf(sentence) > MOST_WORDS || HIDDEN_SUBJECT.test(sentence));

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

/** Comments of a source without their marks; lines of `//` that follow each other are one. */
export const commentsOf = (source: string): readonly string[] => {
  const blocks = [...source.matchAll(/^[ \t]*\/\*\*?([\s\S]*?)\*\//gm)].map(([, block = '']) =>
    block.replace(/\n\s*\* ?/g, ' '),
  );
  const lines = source.match(/^[ \t]*\/\/.*(?:\n[ \t]*\/\/.*)*/gm) ?? [];
  return [...blocks, ...lines.map((run) => run.replace(/^\s*\/\/ ?/gm, '').replaceAll('\n', ' '))].map(
    (one) => one.trim(),
  );
};
