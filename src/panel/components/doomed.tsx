import { type ReactNode, useId } from 'react';
import { t } from '../words.ts';
import { Button } from './button.tsx';

/** An action that would be refused: its button cannot be used, and the reason stands beside it. */
export const DoomedButton = ({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ReactNode;
}) => {
  const id = useId();
  return (
    <span className="doomed">
      <small id={id}>{children}</small> <Button label={label} disabled aria-describedby={id} />
    </span>
  );
};

/** Stands in place of the approval, which the author of a proposal may not give. */
export const OwnProposal = () => (
  <small className="doomed">{t('Proposed by you: somebody else approves it.')}</small>
);
