import { invalidInput } from '../../kernel/errors.ts';
import { type GuardRules, urlFault } from './guarded-post.ts';

/** 400 for a URL to which the gateway would never post; `path` names its field. */
export type CheckUrl = (path: string, url: string | null | undefined) => void;

export const createCheckUrl =
  (rules: GuardRules): CheckUrl =>
  (path, url) => {
    const fault = url === null || url === undefined ? null : urlFault(url, rules);
    if (fault !== null) throw invalidInput([{ path, message: `${path} ${fault}` }]);
  };
