// `npm start`: prepares, then runs the launcher in this very process, so that signals reach it directly.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PrepareFailure, prepare, root } from './prepare.mjs';

prepare().then(
  () => {
    process.chdir(root);
    createRequire(import.meta.url)(join(root, 'dist/launcher.js'));
  },
  (error) => {
    console.error(error instanceof PrepareFailure ? error.message : `The start failed unexpectedly: ${error.message}`);
    process.exit(1);
  },
);
