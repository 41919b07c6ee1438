// Indexes stand in the schemas: nobody but who prepares a collection from its schema makes one, so that a collection's are declared in one place.
import { productRooms, sourceFiles } from './source-files';

it('nobody else makes an index', () => {
  const isOfProduct = ({ path }: { path: string }) => productRooms.some((room) => path.startsWith(`${room}/`));
  const makers = sourceFiles.filter((file) => isOfProduct(file) && file.text.includes('.createIndex'));
  expect(makers.map(({ path }) => path)).toEqual(['subgraphs/shared/store/prepare-collection.ts']);
});
