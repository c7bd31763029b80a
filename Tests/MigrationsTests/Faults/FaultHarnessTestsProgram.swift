import Foundation
import TestKit

/// A small C program that changes files in every way the shim knows, compiled once per test.
struct ChangingProgram {
    static let compiler = ["/usr/bin/cc", "/usr/bin/gcc", "/usr/bin/clang"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    static var isAvailable: Bool { FaultShimLibrary.isSupported && compiler != nil }

    let executable: URL

    init(in folder: URL) throws {
        executable = folder.appendingPathComponent("changing")
        let source = folder.appendingPathComponent("changing.c")
        try Data(Self.source.utf8).write(to: source)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.compiler ?? "")
        // Fortified: the program then calls __open64_2 and its like.
        process.arguments = [
            "-O2", "-D_FORTIFY_SOURCE=2", "-D_FILE_OFFSET_BITS=64", "-w", "-o", executable.path, source.path,
        ]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw FaultError.referenceFailed("the C program does not compile") }
    }

    /// The program works in the given folder, and runs the named part.
    func command(_ part: String) -> FaultCommand {
        FaultCommand(executable) { [$0.path, part] }
    }

    private static let source = #"""
        #define _GNU_SOURCE
        #include <fcntl.h>
        #include <pthread.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/mman.h>
        #include <sys/sendfile.h>
        #include <sys/stat.h>
        #include <sys/uio.h>
        #include <sys/wait.h>
        #include <unistd.h>
        #define MUST(x) do { if ((long)(x) < 0) { fprintf(stderr, "%d: %m\n", __LINE__); exit(1); } } while (0)

        static void writing(void) {
            int fd = open("a", O_RDWR | O_CREAT, 0600);
            MUST(fd);
            MUST(write(fd, "hello", 5));
            MUST(pwrite(fd, "HE", 2, 0));
            struct iovec pieces[2] = {{"one", 3}, {"two", 3}};
            MUST(writev(fd, pieces, 2));
            MUST(pwritev(fd, pieces, 2, 20));
            int twin = dup(fd);
            MUST(close(fd));
            MUST(write(twin, "twin", 4));
            MUST(ftruncate(twin, 18));
            MUST(fsync(twin));
            MUST(fdatasync(twin));
            MUST(posix_fallocate(twin, 0, 64));
            MUST(close(twin));
            // The same descriptor, another file, outside.
            int pipes[2];
            MUST(pipe(pipes));
            MUST(write(pipes[1], "elsewhere", 9));
            MUST(truncate("a", 40));
            volatile int append = O_WRONLY | O_APPEND;
            fd = open("a", append);
            MUST(write(fd, "end", 3));
            MUST(close(fd));
            MUST(fd = creat("b", 0600));
            int source = open("a", O_RDONLY);
            MUST(sendfile(fd, source, NULL, 10));
            MUST(copy_file_range(source, NULL, fd, NULL, 12, 0));
            MUST(close(fd));
            MUST(fd = open("b", O_WRONLY | O_TRUNC));
            MUST(write(fd, "again", 5));
            MUST(close(fd));
            int folder = open(".", O_RDONLY | O_DIRECTORY);
            MUST(fd = openat(folder, "c", O_WRONLY | O_CREAT | O_EXCL, 0600));
            MUST(write(fd, "c", 1));
            MUST(fsync(folder));
        }

        static void naming(void) {
            MUST(mkdir("d", 0700));
            MUST(mkdir("d/e", 0700));
            int fd = open("d/x", O_WRONLY | O_CREAT, 0600);
            MUST(write(fd, "1", 1));
            MUST(rename("d/x", "d/e/y"));
            MUST(write(fd, "2", 1));
            MUST(link("d/e/y", "z"));
            MUST(unlink("d/e/y"));
            MUST(write(fd, "3", 1));
            MUST(rename("d/e", "f"));
            MUST(rmdir("d"));
            int gone = open("gone", O_RDWR | O_CREAT, 0600);
            MUST(unlink("gone"));
            MUST(write(gone, "no one sees this", 16));
            char name[] = "f/tmp.XXXXXX", folder[] = "f/dir.XXXXXX";
            MUST(fd = mkstemp(name));
            MUST(write(fd, "t", 1));
            MUST(rename(name, "f/final"));
            if (!mkdtemp(folder)) exit(1);
            MUST(rename(folder, "f/made"));
            MUST(remove("f/made"));
        }

        static void *writer(void *number) {
            char name[16], text[8];
            snprintf(name, sizeof name, "t%ld", (long)number);
            int fd = open(name, O_WRONLY | O_CREAT, 0600);
            for (int i = 0; i < 100; i++) {
                snprintf(text, sizeof text, "%ld %03d\n", (long)number, i);
                MUST(write(fd, text, strlen(text)));
            }
            MUST(close(fd));
            return NULL;
        }

        int main(int count, char **words) {
            MUST(chdir(words[1]));
            char *part = words[2];
            if (!strcmp(part, "writing")) writing();
            if (!strcmp(part, "naming")) naming();
            if (!strcmp(part, "threads")) {
                pthread_t threads[4];
                for (long i = 0; i < 4; i++) pthread_create(&threads[i], NULL, writer, (void *)i);
                for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
            }
            if (!strcmp(part, "steps")) {
                int fd = open("steps", O_WRONLY | O_CREAT | O_APPEND, 0600);
                for (int i = 0; i < 8; i++) {
                    if (write(fd, "12345678", 8) != 8) { printf("failed: %m\n"); return 3; }
                    printf("step %d\n", i + 1);
                }
            }
            if (!strcmp(part, "children")) {
                if (fork() == 0) { MUST(mkdir("forked", 0700)); _exit(0); }
                wait(NULL);
                if (system("mkdir started") != 0) return 1;
                MUST(mkdir("own", 0700));
            }
            if (!strcmp(part, "stdio")) { FILE *f = fopen("stdio", "w"); fputs("unseen", f); fclose(f); }
            if (!strcmp(part, "mapping")) {
                int fd = open("mapping", O_RDWR | O_CREAT, 0600);
                MUST(ftruncate(fd, 4096));
                char *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
                at[0] = 'x';
            }
            if (!strcmp(part, "arriving")) {
                FILE *f = fopen("../outside", "w");
                fclose(f);
                MUST(rename("../outside", "inside"));
            }
            // The kernel's place: the Swift runtime finds a program's arguments from its environment.
            if (!strcmp(part, "arguments")) return environ == words + count + 1 ? 0 : 1;
            if (!strcmp(part, "hanging")) for (;;) pause();
            return 0;
        }
        """#
}
