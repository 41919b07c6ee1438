// The list as a file, with the filters that it has: a link, so that the browser itself keeps what arrives, however much it is.
import { Download } from 'lucide-react';
import type { TypedText } from '../graph/typed-text';
import { useMay } from '../shell/viewer';
import { words } from '../strings/language';
import style from './filters.module.css';

interface ExportProps<Variables> {
  document: TypedText<unknown, Variables>;
  variables: Partial<Variables>;
}

export function ExportLink<Variables>({ document, variables }: ExportProps<Variables>) {
  if (!useMay('lists:export')) return null;
  const asked = new URLSearchParams({ documentId: `sha256:${document.hash}`, variables: JSON.stringify(variables) });
  return (
    <a className={style.export} href={`/graphql/export?${asked}`} download title={words().views.exportHint}>
      <Download size={14} aria-hidden />
      {words().views.export}
    </a>
  );
}
