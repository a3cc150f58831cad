import { t } from '../words.ts';

export const Skeleton = ({ lines }: { readonly lines: number }) => (
  <div className="skeleton" role="status">
    <span className="unseen">{t('Loading')}</span>
    {Array.from({ length: lines }, (_, line) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines are alike and never move
      <i key={line} />
    ))}
  </div>
);
