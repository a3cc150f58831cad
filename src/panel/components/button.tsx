import type { ButtonHTMLAttributes, ReactNode } from 'react';

/** A button that acts by itself, where a plain one would submit the form around it. */
export const Button = ({ label, ...more }: Props) => (
  <button type="button" {...more}>
    {label}
  </button>
);

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type' | 'children'> & {
  readonly label: ReactNode;
};
