// The scripts that run before anything is compiled are JavaScript; the compiler reads them too, with the types that it finds by itself.
import { join, relative } from 'node:path';
import ts from 'typescript';
import { root } from './source-files';

const configPath = join(root, 'tsconfig.scripts.json');
const { config } = ts.readConfigFile(configPath, ts.sys.readFile);
const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, root, undefined, configPath);

it('no script has an error of types', () => {
  const program = ts.createProgram(fileNames, options);
  const scripts = program.getSourceFiles().filter(({ fileName }) => fileNames.includes(fileName));
  const faults = scripts.flatMap((file) =>
    [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      ({ start = 0, messageText }) => {
        const line = file.getLineAndCharacterOfPosition(start).line + 1;
        return `${relative(root, file.fileName)}:${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
      },
    ),
  );
  expect(scripts.length).toBeGreaterThan(20);
  expect(faults).toEqual([]);
});
