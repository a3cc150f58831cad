import { lean, leanStyle } from './html-page.ts';

it('code of a page is carried without indentation and comments, and is otherwise the same', () => {
  const code = `
/** Adds. */ const add = (one, other) => {
  // Both are numbers.
  return one + other; // a sum
};
  /*
   * Several lines.
   */

const address = 'https://shop.example.com/*/x';
`;
  expect(lean(code)).toBe(`const add = (one, other) => {
return one + other; // a sum
};
const address = 'https://shop.example.com/*/x';
`);
});

it('a style sheet is carried without blanks that its rules do not need', () => {
  const sheet = `
  /* Wide pages. */
  @media (min-width: 40rem) and (pointer: coarse) {
    .a > .b + .c, .d :focus { margin: 0 calc(1rem + 2px); content: ""; }
  }
`;
  expect(leanStyle(sheet)).toBe(
    '@media (min-width:40rem) and (pointer:coarse){.a > .b + .c,.d :focus{margin:0 calc(1rem + 2px);content:""}}',
  );
});
