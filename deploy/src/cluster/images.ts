import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const PAUSE_IMAGE = 'fanfare/pause:1';

/** Waits to be stopped, and serves HTTP meanwhile on each address that it is given. */
const PROGRAM = `package main

import (
	"net/http"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	for _, address := range os.Args[1:] {
		go http.ListenAndServe(address, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("pong")) }))
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT)
	<-stop
}
`;

/** Each pod has a container that keeps its network and does nothing. We make its image, because the public one needs a registry; it also serves the node's own test. */
export function makePauseImage(archive: string): void {
  const work = `${archive}.d`;
  const at = (name: string) => path.join(work, name);
  mkdirSync(at('layer'), { recursive: true });
  writeFileSync(at('go.mod'), 'module pause\ngo 1.26\n');
  writeFileSync(at('main.go'), PROGRAM);
  const env = { ...process.env, CGO_ENABLED: '0' };
  execFileSync('go', ['build', '-ldflags', '-s -w', '-o', 'layer/pause', '.'], { cwd: work, env, stdio: 'inherit' });
  execFileSync('tar', ['-C', at('layer'), '-cf', at('layer.tar'), 'pause']);
  const digest = createHash('sha256')
    .update(readFileSync(at('layer.tar')))
    .digest('hex');
  const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64';
  const config = {
    architecture,
    os: 'linux',
    config: { Entrypoint: ['/pause'] },
    rootfs: { type: 'layers', diff_ids: [`sha256:${digest}`] },
  };
  writeFileSync(at('config.json'), JSON.stringify(config));
  writeFileSync(at('manifest.json'), JSON.stringify([{ Config: 'config.json', RepoTags: [PAUSE_IMAGE], Layers: ['layer.tar'] }]));
  execFileSync('tar', ['-C', work, '-cf', archive, 'config.json', 'manifest.json', 'layer.tar']);
}
