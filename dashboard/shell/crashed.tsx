// A screen that failed in the browser: said, with a way on; the shell around it stays.
import type { ErrorComponentProps } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { Button } from '../kit/button';
import style from '../kit/kit.module.css';
import { words } from '../strings/language';

export function Crashed({ error, reset }: ErrorComponentProps) {
  return (
    <div className={style.state} role="alert">
      <TriangleAlert aria-hidden />
      <h2>{words().faults.screen}</h2>
      <p className="mono">{error instanceof Error ? error.message : String(error)}</p>
      <Button onClick={reset}>{words().faults.again}</Button>
    </div>
  );
}
