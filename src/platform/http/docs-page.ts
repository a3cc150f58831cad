import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Swagger UI sets styles only by script, so no inline styles need to be allowed. */
export const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The documentation page: Swagger UI with groups, a search and code samples. */
export const DOCS_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Portico API</title>
    <link rel="icon" href="/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="stylesheet" href="/docs/start.css">
  </head>
  <body>
    <div id="api"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** Searches all texts of an operation, because Swagger UI's own search looks only at the names of tags. */
const SEARCH = `const textOf = (operation) =>
  [operation.get('path'), ...['operationId', 'summary', 'description'].map((name) => operation.getIn(['operation', name], ''))]
    .join(' ')
    .toLowerCase();

let found = null;
const search = (tags, phrase) => {
  const words = phrase.toLowerCase().split(/\\s+/).filter(Boolean);
  const isFound = (operation) => words.every((word) => textOf(operation).includes(word));
  found = tags
    .map((tag) => tag.update('operations', (operations) => operations.filter(isFound)))
    .filter((tag) => tag.get('operations').size > 0);
  return found;
};
`;

/** Shows the name of each group (x-tagGroups) above the first of its tags that is shown. */
const GROUPS = `const groupedTag = (Original, system) => (props) => {
  const { React, specSelectors, layoutSelectors } = system;
  const groups = specSelectors.specJson().get('x-tagGroups');
  const group = groups && groups.find((one) => one.get('tags').includes(props.tag));
  const isFiltered = typeof layoutSelectors.currentFilter() === 'string' && found;
  const shown = (isFiltered ? found : specSelectors.taggedOperations()).keySeq();
  const isFirst = group && shown.find((tag) => group.get('tags').includes(tag)) === props.tag;
  return React.createElement(
    React.Fragment,
    null,
    isFirst && React.createElement('h2', { className: 'group' }, group.get('name')),
    React.createElement(Original, props),
  );
};
`;

/** Shows code samples (x-codeSamples) above the answers of an operation. */
const SAMPLES = `const withSamples = (Original, { React, specSelectors }) => (props) => {
  const samples = specSelectors.specJson().getIn(['paths', props.path, props.method, 'x-codeSamples']);
  const show = (sample, index) =>
    React.createElement(
      'details',
      { key: sample.get('label'), name: props.path + props.method, open: index === 0 },
      React.createElement('summary', null, sample.get('label')),
      React.createElement('pre', { tabIndex: 0 }, sample.get('source')),
    );
  return React.createElement(
    React.Fragment,
    null,
    samples && React.createElement('div', { className: 'samples' }, ...samples.map(show)),
    React.createElement(Original, props),
  );
};
`;

/** Opens the operation that an address such as `/docs#listCharges` names, without its group. */
const LINKS = `const openNamed = () => {
  // Swagger UI puts a slash before what it takes for a group.
  const name = location.hash.split(/[#/]/).at(-1);
  const found = ui.specSelectors.operations().find((one) => one.getIn(['operation', 'operationId']) === name);
  if (!found) return;
  ui.layoutActions.parseDeepLinkHash('#/' + found.getIn(['operation', 'tags', 0]) + '/' + name);
};
`;

/**
 * Makes good what Swagger UI leaves out for people who do not see or use a mouse: a button holds no link, so the path of
 * an operation is plain text; fields and parts of the page have names, headings an order, and what scrolls takes the
 * focus.
 */
const ACCESS = `const plainPath = (Original, { React }) => ({ text }) => React.createElement('span', null, text);

const nameOf = (field) =>
  field.closest('[data-param-name]')?.dataset.paramName ?? (field.id === 'servers' ? 'Server' : 'Media type');
const PARTS = [
  ['.information-container', 'region', 'About this API'],
  ['.scheme-container', 'region', 'Server and credentials'],
  ['.filter', 'search', 'Operations'],
];
const mend = () => {
  for (const field of document.querySelectorAll('select:not([aria-label]), textarea:not([aria-label])'))
    field.setAttribute('aria-label', nameOf(field));
  for (const heading of document.querySelectorAll('.models > h4:not([aria-level])')) {
    heading.setAttribute('role', 'heading');
    heading.setAttribute('aria-level', '2');
  }
  for (const table of document.querySelectorAll('table[role]')) table.removeAttribute('role');
  for (const [part, role, name] of PARTS)
    for (const element of document.querySelectorAll(part + ':not([role])')) {
      element.setAttribute('role', role);
      element.setAttribute('aria-label', name);
    }
  for (const box of document.querySelectorAll('.microlight:not([tabindex]), .example:not([tabindex])')) box.tabIndex = 0;
};
new MutationObserver(mend).observe(document.getElementById('api'), { childList: true, subtree: true });
`;

const DOCS_SCRIPT = `${SEARCH}${GROUPS}${SAMPLES}${LINKS}${ACCESS}
const ui = SwaggerUIBundle({
  url: '/v1/openapi.json',
  filter: true,
  plugins: [
    {
      fn: { opsFilter: search },
      wrapComponents: { OperationTag: groupedTag, responses: withSamples, DeepLink: plainPath },
    },
  ],
  requestSnippetsEnabled: true,
  dom_id: '#api',
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'none',
  validatorUrl: null,
  onComplete: openNamed,
});
`;

const DOCS_STYLE = `.swagger-ui .info .title small { background: #4d5666; }
.swagger-ui .info .title small.version-stamp { background: #3f6212; }
.swagger-ui .info a, .swagger-ui a.link, .swagger-ui .info .link { color: #1d4ed8; }
.swagger-ui .btn.authorize { border-color: #0b6e4f; color: #0b6e4f; }
.swagger-ui .btn.authorize svg { fill: #0b6e4f; }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #1d4ed8; }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #0b6e4f; }
.swagger-ui .opblock.opblock-put .opblock-summary-method { background: #8a4b00; }
.swagger-ui .opblock.opblock-patch .opblock-summary-method { background: #0f6674; }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #b91c1c; }
.swagger-ui .parameter__in, .swagger-ui .parameter__deprecated, .swagger-ui .prop-format { color: #4d5666; }
.swagger-ui .parameter__name.required span, .swagger-ui .parameter__name.required::after { color: #b91c1c; }
.swagger-ui .btn.cancel { border-color: #b91c1c; color: #b91c1c; }
.swagger-ui .btn.execute { border-color: #1d4ed8; background-color: #1d4ed8; }
.swagger-ui .microlight span { color: #ffb4b4 !important; }
.swagger-ui .json-schema-2020-12-expand-deep-button { color: #4d5666; }
.swagger-ui .group { margin: 40px 0 0; }
.swagger-ui .samples { padding: 10px 20px; }
.swagger-ui .samples summary { cursor: pointer; padding: 6px 0; font-weight: bold; }
.swagger-ui .samples pre { overflow: auto; margin: 0; padding: 12px; background: #1b1b1b; color: #fff; }
`;

type DocsFile = { readonly name: string; readonly type: string; readonly content: string | Buffer };

/** The files that the page loads. */
export const docsFiles = (): readonly DocsFile[] => {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const distributed = (name: string, type: string): DocsFile => ({
    name,
    type,
    content: readFileSync(join(folder, name)),
  });
  return [
    { name: 'start.js', type: 'js', content: DOCS_SCRIPT },
    { name: 'start.css', type: 'css', content: DOCS_STYLE },
    distributed('swagger-ui-bundle.js', 'js'),
    distributed('swagger-ui.css', 'css'),
    distributed('favicon-32x32.png', 'png'),
  ];
};
