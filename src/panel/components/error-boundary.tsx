import { Component, type ReactNode } from 'react';
import { Problem } from './problem.tsx';

type Props = { readonly children: ReactNode };

/** Shows an error of a screen in its place; React offers no function for it. */
export class ErrorBoundary extends Component<Props, { readonly error: unknown }> {
  override state = { error: null as unknown };

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  /** A part that could not be loaded for want of a network is loaded once there is one. */
  override componentDidUpdate(): void {
    if (this.state.error !== null && !navigator.onLine)
      window.addEventListener('online', () => location.reload(), { once: true });
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    // A part of the panel that another version has replaced is found by a reload only.
    return <Problem error={this.state.error} onRetry={() => location.reload()} />;
  }
}
