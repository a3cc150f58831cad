const NAME = 'portico_environment';
const YEAR_SECONDS = 31_536_000;

/** Notes in which environment somebody works in this browser. The cookie says nothing about the session. */
export const noteEnvironment = (livemode: boolean): void => {
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
  document.cookie = `${NAME}=${livemode ? 'live' : 'test'}; path=/panel; max-age=${YEAR_SECONDS}; samesite=strict`;
};

const LIVE = 'portico_live';

/** Notes that a merchant has had a live charge, which somebody who works in test cannot see. */
export const noteLive = (merchantId: string): void => {
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
  document.cookie = `${LIVE}=${merchantId}; path=/panel; max-age=${YEAR_SECONDS}; samesite=strict`;
};

/** Whether this browser knows of a live charge of a merchant. */
export const isLive = (merchantId: string): boolean =>
  document.cookie.split('; ').includes(`${LIVE}=${merchantId}`);

/** The environment of the last session in this browser. */
export const lastEnvironment = (): 'live' | 'test' =>
  document.cookie.split('; ').includes(`${NAME}=test`) ? 'test' : 'live';
