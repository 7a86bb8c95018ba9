/** The command of the catalogue of buckets: it is filled by a crawl or an inventory, and says what is in it. */
import type { Command } from 'commander';
import type { CatalogueFlags } from './catalogue/catalogue.ts';

const help = `
The catalogue is a database of PostgreSQL, which the setting catalogue.postgres names. Servers use a bucket, or a part of it, from
the catalogue once it was filled whole, and go on with the last filling while it is filled again. What is stopped by Ctrl-C, or fails,
goes on where it stopped when it is started again.

  lectern catalogue crawl s3://scans/books --config lectern.json
  lectern catalogue inventory s3://inventories/scans/daily/2026-01-01T00-00Z/manifest.json --config lectern.json
  lectern catalogue status --config lectern.json

Exit code: 0, 1 where the database, the store or the inventory fails or it was stopped, 2 for wrong use. To serve a folder named
catalogue, write ./catalogue.`;

const withConfig = (command: Command): Command =>
  command.option('--config <file>', 'JSON file with settings, as for the servers');

export function addCatalogueCommand(lectern: Command): void {
  const catalogue = lectern
    .command('catalogue')
    .description('Fills the catalogue of buckets, and says what is in it.')
    .addHelpText('after', help);
  withConfig(catalogue.command('crawl'))
    .argument('<address>', 'a bucket, or a part of it, such as s3://bucket/prefix')
    .description('Lists all objects of a bucket, or of a part of it.')
    .action(async (address: string, _own: CatalogueFlags, self: Command) => {
      const { crawlBucket } = await import('./catalogue/catalogue.ts');
      process.exitCode = await crawlBucket(address, self.optsWithGlobals<CatalogueFlags>());
    });
  withConfig(catalogue.command('inventory'))
    .argument('<file>', 'manifest.json of an S3 inventory, or one of its files, on a disk or in a bucket')
    .argument('[address]', 'the bucket, or the part of it, that is taken from it (default: the bucket of the manifest)')
    .description('Reads all objects of a bucket from an S3 inventory.')
    .action(async (file: string, address: string | undefined, _own: CatalogueFlags, self: Command) => {
      const { readInventoryOf } = await import('./catalogue/catalogue.ts');
      process.exitCode = await readInventoryOf(file, address, self.optsWithGlobals<CatalogueFlags>());
    });
  withConfig(catalogue.command('status'))
    .description('Says what is in the catalogue, and what is being filled.')
    .action(async (_own: CatalogueFlags, self: Command) => {
      const { catalogueStatus } = await import('./catalogue/catalogue.ts');
      process.exitCode = await catalogueStatus(self.optsWithGlobals<CatalogueFlags>());
    });
}
