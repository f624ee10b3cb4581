import { createWriteStream } from 'node:fs';
import { type ContainerRuntimeClient, GenericContainer } from 'testcontainers';

/**
 * A container whose ports are bound to 127.0.0.1 (Testcontainers would bind them to every address, and our database has no password), and whose
 * output goes to a file from its first line, so that a container that ends at once still shows why.
 */
export class LoopbackContainer extends GenericContainer {
  readonly #engine: ContainerRuntimeClient;
  readonly #logFile: string;

  constructor(image: string, engine: ContainerRuntimeClient, logFile: string) {
    super(image);
    this.#engine = engine;
    this.#logFile = logFile;
  }

  protected override beforeContainerCreated = async (): Promise<void> => {
    for (const bindings of Object.values(this.hostConfig.PortBindings as Record<string, { HostIp?: string }[]>)) {
      for (const binding of bindings) binding.HostIp = '127.0.0.1';
    }
  };

  protected override containerCreated = async (containerId: string): Promise<void> => {
    const output = await this.#engine.container.attach(this.#engine.container.getById(containerId));
    output.pipe(createWriteStream(this.#logFile));
  };
}
