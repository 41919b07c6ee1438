// A way to another screen, by an address that is put together.
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export function Go({ to, className, children }: { to: string; className?: string | undefined; children: ReactNode }) {
  // The router types addresses that are written out; these carry ids and filters.
  return (
    <Link to={to as LinkProps['to']} className={className}>
      {children}
    </Link>
  );
}
