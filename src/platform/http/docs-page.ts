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

const DOCS_SCRIPT = `${SEARCH}${GROUPS}${SAMPLES}${LINKS}
const ui = SwaggerUIBundle({
  url: '/v1/openapi.json',
  filter: true,
  plugins: [
    {
      fn: { opsFilter: search },
      wrapComponents: { OperationTag: groupedTag, responses: withSamples },
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

const DOCS_STYLE = `.swagger-ui .group { margin: 40px 0 0; }
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
