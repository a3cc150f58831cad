/** Version 1.0.0 of the script for shops. It never changes, because pages contain its hash. */
export const PORTICO_1_0_0 = `(() => {
  'use strict';
  const gateway = new URL(document.currentScript.src).origin;
  const MARK = 'portico-card-fields';
  const cardFields = (publicKey, element, { locale, style, title = 'Card', onChange } = {}) => {
    const query = new URLSearchParams({ key: publicKey, parent: location.origin });
    if (locale) query.set('lang', locale);
    const frame = document.createElement('iframe');
    frame.src = gateway + '/card-fields?' + query;
    frame.title = title;
    Object.assign(frame.style, { border: '0', width: '100%', height: '19rem', display: 'block' });
    const asked = new Map();
    let last = 0;
    let isReady;
    const ready = new Promise((resolve) => { isReady = resolve; });
    const tell = (message) => frame.contentWindow.postMessage({ mark: MARK, ...message }, gateway);
    const listen = ({ origin, source, data }) => {
      if (origin !== gateway || source !== frame.contentWindow || data?.mark !== MARK) return;
      if (data.type === 'ready') {
        if (style) tell({ type: 'style', style });
        isReady();
      }
      if (data.type === 'height') frame.style.height = Number(data.height) + 'px';
      if (data.type === 'change' && onChange) onChange({ isComplete: data.isComplete });
      if (data.type === 'answer' && asked.has(data.id)) {
        asked.get(data.id)(data.answer);
        asked.delete(data.id);
      }
    };
    addEventListener('message', listen);
    element.replaceChildren(frame);
    return {
      ready,
      async tokenize({ currency } = {}) {
        await ready;
        last += 1;
        const id = last;
        return new Promise((resolve) => {
          asked.set(id, resolve);
          tell({ type: 'tokenize', id, currency });
        });
      },
      update: async (changed) => { await ready; tell({ type: 'style', style: changed }); },
      clear: async () => { await ready; tell({ type: 'clear' }); },
      remove() {
        removeEventListener('message', listen);
        frame.remove();
      },
    };
  };
  window.Portico = (publicKey) => ({
    cardFields: (element, options) => cardFields(publicKey, element, options),
  });
})();
`;
