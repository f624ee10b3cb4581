import { GenerationServiceService } from '@fanfare/contracts/generation';
import { Design } from '@fanfare/contracts/generation/designs';
import { notFound } from '@fanfare/errors';
import { startRpcServer } from '@fanfare/rpc';
import { createHealth, createLogger, newId } from '@fanfare/runtime';
import { unusedMethods } from '@fanfare/testing';

/** A generation service on real gRPC, with the designs that a test adds. */
export async function startFakeGeneration() {
  const designs = new Map<string, Design>();
  const server = await startRpcServer({
    address: '127.0.0.1:0',
    definition: GenerationServiceService,
    handlers: {
      ...unusedMethods(GenerationServiceService),
      async getDesign({ designId }, { metadata }) {
        const design = designs.get(designId);
        if (design?.businessId !== metadata.businessId) throw notFound('design');
        return { design };
      },
    },
    health: createHealth(),
    log: createLogger('generation', 'silent'),
  });
  return {
    address: `127.0.0.1:${server.port}`,
    /** A design with these media; with the id of an existing design it replaces that one. */
    put(businessId: string, mediaIds: readonly string[], { id = newId(), revision = 1 } = {}): Design {
      const media = mediaIds.map((mediaId) => ({ mediaId, url: `https://media.example/${mediaId}.png` }));
      const design = Design.fromPartial({ id, businessId, revision, media });
      designs.set(id, design);
      return design;
    },
    stop: () => server.stop(),
  };
}
