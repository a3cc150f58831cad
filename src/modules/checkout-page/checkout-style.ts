import { leanStyle } from '../../platform/http/html-page.ts';

/** The look of a checkout session's page, for a phone first; wider screens add room and not content. */
export const CHECKOUT_STYLE = leanStyle(`
  :root {
    color-scheme: light dark;

    --ground: #eef2f1;
    --surface: #fff;
    --sunken: #f5f8f7;
    --ink: #14211e;
    --ink-soft: #4e5e59;
    --line: #d7dfdc;
    --line-strong: #7a8985;
    --focus: #1a55c2;

    --ok: #0c6443;
    --ok-ground: #e4f3eb;
    --warn: #7d4a00;
    --warn-ground: #fcf2df;
    --bad: #a9221b;
    --bad-ground: #fcecea;
    --info: #1c5382;
    --info-ground: #e8f1f9;

      --accent: #0d5a4b;
    --on-accent: #fff;
    --accent-ink: #0d5a4b;
    --accent-tint: #edf6f3;

    --font: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
    --mono: ui-monospace, "SF Mono", "Cascadia Mono", "Roboto Mono", Menlo, Consolas, monospace;
    --text-s: .875rem;
    --text-m: 1rem;
    --text-l: 1.125rem;
    --text-xl: 1.375rem;
    --text-amount: clamp(2rem, 1.6rem + 2vw, 2.625rem);

    --s1: .25rem;
    --s2: .5rem;
    --s3: .75rem;
    --s4: 1rem;
    --s5: 1.5rem;
    --s6: 2rem;
    --s7: 3rem;

    --radius: .625rem;
    --radius-sheet: 1.25rem;
    --arch: 999px 999px .75rem .75rem;
    --target: 3rem;
    --sheet-shadow: 0 1px 2px rgb(20 33 30 / 6%), 0 12px 32px -12px rgb(20 33 30 / 14%);
  }

  @media (prefers-color-scheme: dark) {
    :root {
      --ground: #0d1413;
      --surface: #172120;
      --sunken: #111a19;
      --ink: #e8efed;
      --ink-soft: #a8b7b2;
      --line: #2c3a37;
      --line-strong: #7b8d88;
      --focus: #93bcff;

      --ok: #74d6a5;
      --ok-ground: #11291f;
      --warn: #f1bb66;
      --warn-ground: #2b2110;
      --bad: #ffa299;
      --bad-ground: #341a18;
      --info: #94c5f0;
      --info-ground: #132537;

      --accent: #63cdb2;
      --on-accent: #04241c;
      --accent-ink: #74d4bc;
      --accent-tint: #162c28;

      --sheet-shadow: none;
    }
  }
  *, ::before, ::after { box-sizing: border-box; }
  [hidden] { display: none !important; }
  html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
  body {
    margin: 0;
    min-height: 100vh;
    display: flex;
    flex-direction: column;
    background: var(--ground);
    color: var(--ink);
    font: var(--text-m)/1.5 var(--font);
    overflow-wrap: break-word;
  }
  h1, h2, h3, p, ul, ol, dl, dd, figure, fieldset, legend { margin: 0; padding: 0; border: 0; }
  h1, h2, h3 { line-height: 1.25; font-weight: 650; text-wrap: balance; }
  h1 { font-size: var(--text-xl); letter-spacing: -.01em; }
  h2 { font-size: var(--text-l); }
  ul, ol { list-style: none; }
  svg { display: block; flex: none; }
  a { color: var(--accent-ink); text-underline-offset: .18em; }
  strong { font-weight: 650; }
  small, .small { font-size: var(--text-s); }
  .soft { color: var(--ink-soft); }
  .num, .amount, time, input, td { font-variant-numeric: tabular-nums; }
  .nowrap { white-space: nowrap; }
  :focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: .25rem; }
  .visually-hidden {
    position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
  }
  .test { background: var(--warn-ground); color: var(--warn); text-align: center; font-size: var(--text-s); padding: var(--s2) var(--s4); font-weight: 600; }
  .page { flex: 1; width: 100%; max-width: 35rem; margin: 0 auto; display: flex; flex-direction: column; }
  .sheet { background: var(--surface); border-radius: var(--radius-sheet) var(--radius-sheet) 0 0; padding: var(--s5) var(--s4) var(--s6); box-shadow: var(--sheet-shadow); flex: 1; }
  .stack > * + * { margin-top: var(--s4); }
  .stack > * + .section, .stack > * + h2 { margin-top: var(--s5); }
  .section { border-top: 1px solid var(--line); padding-top: var(--s5); }
  .foot { padding: var(--s5) var(--s4); color: var(--ink-soft); font-size: var(--text-s); text-align: center; background: var(--surface); border-top: 1px solid var(--line); }
  .foot p + p { margin-top: var(--s1); }
  .foot a { color: inherit; }
  .foot ul { display: flex; flex-wrap: wrap; justify-content: center; gap: 0 var(--s3); margin-top: var(--s2); }
  .foot li a, .foot li span { display: inline-flex; align-items: center; min-height: 2.75rem; }
  .foot [aria-current] { font-weight: 650; color: var(--ink); }
  .mark { font-weight: 600; color: var(--ink); white-space: nowrap; }
  .mark svg { display: inline-block; vertical-align: -.125rem; margin-right: .375rem; }
  .order { padding: var(--s4) var(--s4) var(--s5); }
  .shop { display: flex; align-items: center; gap: var(--s3); min-height: 2.75rem; }
  .shop-logo { display: block; width: 2.5rem; height: 2.5rem; border-radius: var(--arch); background: var(--accent); color: var(--on-accent); overflow: hidden; flex: none; }
  .shop-image { display: block; max-width: 10rem; max-height: 2.5rem; flex: none; border-radius: .25rem; }
  .shop-name { font-weight: 650; line-height: 1.3; }
  .order h1 { font-size: var(--text-m); font-weight: 400; color: var(--ink-soft); letter-spacing: 0; margin-top: var(--s4); }
  .order h1.alone { font-size: var(--text-xl); font-weight: 650; color: var(--ink); }
  .amount { font-size: var(--text-amount); font-weight: 680; line-height: 1.15; letter-spacing: -.02em; }
  .items { margin-top: var(--s2); }
  .items summary { display: inline-flex; align-items: center; gap: var(--s1); min-height: 2.75rem; cursor: pointer; color: var(--accent-ink); font-weight: 600; list-style: none; }
  .items summary::-webkit-details-marker { display: none; }
  .items summary svg { transition: rotate .15s; }
  .items[open] summary svg { rotate: 180deg; }
  .lines li, .lines div { display: flex; justify-content: space-between; gap: var(--s4); padding: var(--s2) 0; }
  .lines li + li, .lines .total { border-top: 1px solid var(--line); }
  .lines .total { font-weight: 650; }
  .lines small { display: block; color: var(--ink-soft); }
  .methods legend { font-size: var(--text-l); font-weight: 650; margin-bottom: var(--s3); }
  .method { position: relative; border: 1px solid var(--line-strong); border-top-width: 0; background: var(--surface); }
  .method:first-of-type { border-top-width: 1px; border-radius: var(--radius) var(--radius) 0 0; }
  .method:last-of-type { border-radius: 0 0 var(--radius) var(--radius); }
  .method:only-of-type { border-radius: var(--radius); }
  .method > input { position: absolute; left: var(--s4); top: 1.375rem; z-index: 2; }
  .method > label { display: flex; align-items: center; gap: var(--s3); min-height: 4rem; padding: var(--s3) var(--s4) var(--s3) 3rem; cursor: pointer; border-radius: inherit; }
  .method > .visually-hidden + label { padding-left: var(--s4); }
  .method > label svg { color: var(--ink-soft); margin-left: auto; }
  .method-name { font-weight: 600; line-height: 1.35; }
  .method-name small { display: block; font-weight: 400; color: var(--ink-soft); }
  .method > input:checked + label { background: var(--accent-tint); }
  .method > input:checked + label svg { color: var(--accent-ink); }
  .method-body { display: none; padding: var(--s4) var(--s3); border-top: 1px solid var(--line); }
  .method > input:checked ~ .method-body { display: block; }
  .method > input:focus-visible { outline: 0; }
  .method > input:focus-visible + label { outline: 3px solid var(--focus); outline-offset: -1px; z-index: 1; position: relative; }
  input[type="radio"], input[type="checkbox"] {
    appearance: none; flex: none; width: 1.25rem; height: 1.25rem; margin: 0; background: var(--surface);
    border: 1.5px solid var(--line-strong); border-radius: 50%; display: inline-grid; place-content: center; cursor: pointer;
  }
  input[type="checkbox"] { border-radius: .3rem; width: 1.5rem; height: 1.5rem; }
  input[type="radio"]:checked { border: .4rem solid var(--accent-ink); }
  input[type="checkbox"]:checked { background: var(--accent-ink); border-color: var(--accent-ink); }
  input[type="checkbox"]:checked::before { content: ""; width: .4rem; height: .75rem; border: solid var(--surface); border-width: 0 .15rem .15rem 0; rotate: 45deg; translate: 0 -.1rem; }
  @media (forced-colors: active) { input[type="radio"], input[type="checkbox"] { appearance: auto; } }
  .badges { display: flex; flex-wrap: wrap; gap: var(--s1); margin: var(--s2) 0 var(--s4); }
  .badge { display: inline-block; padding: .0625rem .1875rem; border: 1px solid var(--line); border-radius: .25rem; background: var(--surface); color: var(--ink-soft); font-size: .6875rem; font-weight: 650; line-height: 1.3; }
  .field label, .label { display: block; font-weight: 600; font-size: var(--text-s); margin-bottom: .375rem; }
  .field label span { font-weight: 400; color: var(--ink-soft); }
  .field input:not([type]), .field input[type="text"], .field input[type="email"], .field input[type="tel"], .field select, .field textarea {
    appearance: none; width: 100%; min-height: var(--target); padding: .625rem .875rem; font: inherit; font-variant-numeric: tabular-nums;
    color: var(--ink); background: var(--surface); border: 1px solid var(--line-strong); border-radius: var(--radius);
  }
  .field select { padding-right: 2.5rem; text-overflow: ellipsis; }
  .field input::placeholder { color: var(--ink-soft); opacity: 1; }
  .field input:focus-visible, .field select:focus-visible, .field textarea:focus-visible { outline: 3px solid var(--focus); outline-offset: -1px; border-radius: var(--radius); }
  .field [aria-invalid="true"] { border: 2px solid var(--bad) !important; padding-left: calc(.875rem - 1px); }
  .field input[readonly] { background: var(--sunken); }
  .field + .field, .pair + .field, .field + .pair, .field + fieldset { margin-top: var(--s4); }
  .pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(7.5rem, 1fr)); gap: var(--s4) var(--s3); align-items: start; }
  .pair > .field + .field { margin-top: 0; }
  .with { position: relative; display: block; }
  .with > svg { position: absolute; right: .875rem; top: 50%; translate: 0 -50%; pointer-events: none; color: var(--ink-soft); }
  .field .badges { margin-top: var(--s2); }
  .hint, .error { font-size: var(--text-s); margin-top: .375rem; color: var(--ink-soft); }
  .error { color: var(--bad); font-weight: 600; display: flex; gap: .375rem; align-items: flex-start; }
  .error svg { margin-top: .15rem; }
  .check { display: grid; grid-template-columns: auto 1fr; gap: 0 var(--s3); align-items: start; padding: var(--s3) 0; cursor: pointer; }
  .check small { display: block; color: var(--ink-soft); margin-top: .125rem; }
  .button {
    display: flex; align-items: center; justify-content: center; gap: var(--s2); width: 100%; min-height: 3.25rem; padding: var(--s3);
    font: 650 var(--text-l)/1.3 var(--font); font-variant-numeric: tabular-nums; text-align: center; text-wrap: balance; text-decoration: none; cursor: pointer;
    color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent-ink); border-radius: var(--radius);
  }
  .button:hover { box-shadow: inset 0 0 0 99px rgb(128 128 128 / 14%); }
  .button:focus-visible { border-radius: var(--radius); }
  .button-plain { font-size: var(--text-m); font-weight: 600; min-height: var(--target); color: var(--ink); background: transparent; border-color: var(--line-strong); }
  .button[aria-disabled="true"] { cursor: progress; }
  .link { display: inline-flex; align-items: center; gap: var(--s2); min-height: 2.75rem; padding: 0; font: inherit; font-weight: 600; color: var(--accent-ink); background: none; border: 0; cursor: pointer; text-decoration: underline; text-underline-offset: .18em; }
  .centre { text-align: center; text-wrap: balance; }
  .centre > .link { justify-content: center; }
  .assure { display: flex; gap: var(--s2); font-size: var(--text-s); color: var(--ink-soft); }
  .assure svg { margin-top: .1rem; }
  form > .button { margin-top: var(--s4); }
  form > .button + .assure, .button + .button, .button + form { margin-top: var(--s3); }
  .notice { display: flex; gap: var(--s3); padding: var(--s4); border-radius: var(--radius); background: var(--info-ground); }
  .notice > svg { color: var(--info); margin-top: .1rem; }
  .notice > div > * + * { margin-top: var(--s1); }
  .notice.ok { background: var(--ok-ground); } .notice.ok > svg { color: var(--ok); }
  .notice.warn { background: var(--warn-ground); } .notice.warn > svg { color: var(--warn); }
  .notice.bad { background: var(--bad-ground); } .notice.bad > svg { color: var(--bad); }
  .status { display: flex; align-items: center; gap: var(--s3); padding: var(--s3) var(--s4); border-radius: var(--radius); background: var(--sunken); border: 1px solid var(--line); }
  .status.ok { background: var(--ok-ground); border-color: transparent; color: var(--ok); }
  .status.bad { background: var(--bad-ground); border-color: transparent; color: var(--bad); }
  .status.warn { background: var(--warn-ground); border-color: transparent; color: var(--warn); }
  .pulse { width: .75rem; height: .75rem; border-radius: 50%; background: var(--accent-ink); flex: none; animation: pulse 2s ease-in-out infinite; }
  @keyframes pulse { 50% { opacity: .35; } }
  .timer { margin-left: auto; padding-left: var(--s3); border-left: 1px solid var(--line); text-align: right; white-space: nowrap; font-size: var(--text-s); color: var(--ink-soft); line-height: 1.35; }
  .timer time { display: block; font-size: var(--text-xl); font-weight: 650; color: var(--ink); }
  .status .link { white-space: nowrap; margin-left: auto; }
  .status small { display: block; }
  .emblem { display: grid; place-items: center; width: 4rem; height: 4.75rem; padding-top: .5rem; margin: var(--s2) auto var(--s5); border-radius: var(--arch); background: var(--info-ground); color: var(--info); outline: 1.5px solid var(--line); outline-offset: .3125rem; }
  .emblem.ok { background: var(--ok-ground); color: var(--ok); }
  .emblem.bad { background: var(--bad-ground); color: var(--bad); }
  .emblem.warn { background: var(--warn-ground); color: var(--warn); }
  .outcome { text-align: center; text-wrap: balance; }
  .outcome :is(h1, h2) + p { margin-top: var(--s2); }
  .outcome .amount { margin-top: var(--s2); }
  .facts > div { display: flex; justify-content: space-between; gap: var(--s4); padding: .625rem 0; border-top: 1px solid var(--line); }
  .facts > div:first-child { border-top: 0; }
  .facts dt { color: var(--ink-soft); flex: none; max-width: 50%; }
  .facts dd { text-align: right; min-width: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
  .steps { counter-reset: step; }
  .steps li { counter-increment: step; position: relative; padding-left: 2.5rem; min-height: 1.75rem; }
  .steps li + li { margin-top: var(--s3); }
  .steps li::before { content: counter(step); position: absolute; left: 0; top: -.05rem; width: 1.75rem; height: 1.75rem; border-radius: var(--arch); background: var(--accent-tint); color: var(--accent-ink); font-weight: 650; font-size: var(--text-s); display: grid; place-items: center; }
  .copy .field :is(input, textarea) { font-family: var(--mono); background: var(--sunken); text-overflow: ellipsis; resize: none; }
  .copy .field textarea { font-size: var(--text-s); line-height: 1.6; }
  .copy .button { margin-top: var(--s3); }
  .code { background: #fff; padding: var(--s3); border-radius: var(--radius); border: 1px solid var(--line); }
  .code svg { width: 100%; height: auto; }
  .qr { width: 15rem; max-width: 100%; margin: 0 auto; }
  .stack > .qr { margin: var(--s4) auto 0; }
  .code img { display: block; width: 100%; }
  .bars svg { height: 4.25rem; }
  .shop-letter { display: grid; place-items: center; font-size: var(--text-l); font-weight: 650; }
  .more > summary { display: flex; align-items: center; gap: var(--s3); min-height: var(--target); padding: var(--s2) 0; font-weight: 600; cursor: pointer; list-style: none; color: var(--ink); }
  .more > summary::-webkit-details-marker { display: none; }
  .more > summary svg:last-child { margin-left: auto; color: var(--ink-soft); transition: rotate .15s; }
  .more[open] > summary svg:last-child { rotate: 180deg; }
  .more-body { padding: var(--s2) 0 var(--s4); }
  .more + .more { border-top: 1px solid var(--line); }
  @media (min-width: 40rem) {
    .page { padding: var(--s6) var(--s4); }
    .order { padding: 0 var(--s2) var(--s5); }
    .sheet { border-radius: var(--radius-sheet); padding: var(--s6); flex: none; }
    .foot { background: none; border: 0; }
    .narrow { max-width: 32rem; }
    .method-body { padding: var(--s4); }
    .badge { font-size: .75rem; padding: .0625rem .375rem; }
  }
  @media (min-width: 60rem) {
    .page.two { max-width: 66rem; display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); gap: var(--s7) 5rem; align-items: start; align-content: start; padding-top: 4.5rem; }
    .two .order { position: sticky; top: var(--s6); padding: var(--s2) 0 0; }
    .two .order h1 { margin-top: var(--s6); }
    .two .lines { margin-top: var(--s5); }
    .page.narrow { padding-top: 4.5rem; }
    @supports selector(::details-content) {
      .items > summary { display: none; }
      .items::details-content { content-visibility: visible; display: block; }
    }
  }
  @media (max-width: 22rem) {
    .status { flex-wrap: wrap; }
    .timer { margin-left: 1.5rem; padding-left: 0; border-left: 0; text-align: left; }
  }
  @media (prefers-reduced-motion: reduce) { *, ::before, ::after { animation: none !important; transition: none !important; } }
  @media (forced-colors: active) { .button { border: 2px solid ButtonText; } .pulse { background: CanvasText; } }
  @media print {
    body, .sheet, .code, .foot { background: #fff; color: #000; box-shadow: none; }
    .no-print, .foot ul, .test, .button, .link { display: none !important; }
    .sheet, .page { padding: 0; max-width: none; }
    .bars svg { width: 103mm; height: 13mm; } .qr { width: 50mm; margin: 0; }
    @page { margin: 15mm; }
  }
`);
