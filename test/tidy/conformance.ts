// The table of the statements of the payment and administration interfaces (docs/conformance.md): each names a test that exists, and nothing that the documents name is without a row.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { type OpenApiDocument, readApiFile } from '../../rest-facade/checks/openapi';
import { errorTables } from '../../rest-facade/errors/errors';
import { onboardingEventNames } from '../../subgraphs/onboarding/applications/transitions';
import { paymentStates } from '../../subgraphs/payments/payment/payment';
import { flowStates } from '../../subgraphs/payments/sessions/checkout-session';
import { payableActions } from '../../subgraphs/reporting/journal/journal';
import { onboardingStatuses } from '../../subgraphs/shared/vocabulary/onboarding-status';
import { operationResults, operationTypes } from '../../subgraphs/shared/vocabulary/operation';
import { nodesOf, root, sourceFiles } from './source-files';

const conformanceDocument = 'docs/conformance.md';

interface Row {
  statement: string;
  proofs: { file: string; title: string }[];
}

function rows(): Row[] {
  const lines = readFileSync(join(root, conformanceDocument), 'utf8').split('\n');
  return lines
    .filter((line) => line.startsWith('| ') && !/^\| (---|Statement )/.test(line))
    .map((line) => {
      const [statement = '', proof = ''] = line.slice(2, -2).split(' | ');
      const named = [...proof.matchAll(/`(test\/[^`]+)`: \*([^*]+)\*/g)];
      return { statement, proofs: named.map(([, file = '', title = '']) => ({ file, title })) };
    });
}

/** Rows without a proof, and proofs that name a file or a test that is not there. */
export function conformanceFaults(): string[] {
  return rows().flatMap(({ statement, proofs }) => {
    if (proofs.length === 0) return [`no proof: ${statement}`];
    return proofs.flatMap(({ file, title }) => {
      if (!existsSync(join(root, file))) return [`${statement}: ${file} does not exist`];
      return titlesOf(file).has(title) ? [] : [`${statement}: ${file} has no test "${title}"`];
    });
  });
}

/** What the documents name and no statement does: paths, states, types, results, codes, problems, events. */
export function unprovenNames(): string[] {
  const stated = rows()
    .map(({ statement }) => statement)
    .join('\n');
  const calls = (['payments', 'checkout', 'administration', 'partner', 'reporting'] as const).flatMap((family) =>
    Object.entries(readApiFile(root, family).document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    ),
  );
  const codes = (['payments', 'checkout', 'administration', 'partner', 'reporting'] as const).flatMap((family) =>
    Object.values(errorTables[family]).flatMap(({ code }) => (code ? [code] : [])),
  );
  const onboarding = [...onboardingStatuses, ...onboardingEventNames];
  const ofPayments = [...flowStates, ...paymentStates, ...operationTypes, ...operationResults];
  const names = [...calls, ...ofPayments, ...onboarding, ...reportNames(), ...codes];
  return [...new Set(names)].filter((name) => !stated.includes(`\`${name}\``));
}

interface Components {
  components: {
    schemas: Record<string, { properties?: Record<string, unknown> }>;
    parameters: Record<string, { name: string; in: string }>;
  };
}

/** Parameters and members of the reports, and the actions that a payout consists of. */
function reportNames(): string[] {
  const { components } = readApiFile(root, 'reporting').document as OpenApiDocument & Components;
  const members = Object.values(components.schemas).flatMap(({ properties = {} }) => Object.keys(properties));
  const parameters = Object.values(components.parameters).flatMap((each) => (each.in === 'query' ? [each.name] : []));
  return [...members, ...parameters, ...payableActions];
}

const titles = new Map<string, Set<string>>();

/** Every string of a test file: titles of tests, and the rows of the tables that they run over. */
function titlesOf(file: string): Set<string> {
  const known = titles.get(file);
  if (known) return known;
  const source = sourceFiles.find(({ path }) => path === file);
  const found = new Set<string>();
  if (source) for (const node of nodesOf(source.ast)) if (ts.isStringLiteralLike(node)) found.add(node.text);
  titles.set(file, found);
  return found;
}
