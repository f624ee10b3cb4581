interface KafkaPlace {
  /** In a container it is the host's port too: the broker's address, which it also uses to connect to itself, is then valid on both sides. */
  readonly port: number;
  readonly controllerPort: number;
  /** The address to listen on. */
  readonly listenHost: string;
  readonly logDir: string;
}

/** The settings of a broker that is its own controller (KRaft), small enough for a laptop; topics are created only by the services that own them. */
export function kafkaSettings({ port, controllerPort, listenHost, logDir }: KafkaPlace): Record<string, string> {
  return {
    'process.roles': 'broker,controller',
    'node.id': '1',
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    'controller.listener.names': 'CONTROLLER',
    listeners: `PLAINTEXT://${listenHost}:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
    'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
    'log.dirs': logDir,
    'auto.create.topics.enable': 'false',
    'group.initial.rebalance.delay.ms': '0',
    // A broker that was killed is accepted again only when its previous session has expired (by default after 9 s).
    'broker.session.timeout.ms': '3000',
    'broker.heartbeat.interval.ms': '1000',
    // The controller writes a record that says nothing twice a second, for others that follow it: most of what an idle broker costs.
    'metadata.max.idle.interval.ms': '0',
    // One broker cannot store three copies; few partitions, because each costs open files and start-up time.
    'offsets.topic.replication.factor': '1',
    'offsets.topic.num.partitions': '4',
    'transaction.state.log.replication.factor': '1',
    'transaction.state.log.min.isr': '1',
    'transaction.state.log.num.partitions': '4',
    // By default half of the heap.
    'log.cleaner.dedupe.buffer.size': String(8 * 1024 * 1024),
  };
}

/** Client compiler only and the simplest collector: half the memory and a quicker start, slower at full load. */
export const jvmFlags = ['-Xms64m', '-Xmx256m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];
