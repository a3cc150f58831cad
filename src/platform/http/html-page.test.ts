import { lean } from './html-page.ts';

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
