package org.elasticsearch.node; // NodeServiceProvider and Node(NodeConstruction) are package-private

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.elasticsearch.common.logging.LogConfigurator;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.plugins.CpPlugins;
import org.elasticsearch.plugins.PluginsLoader;
import org.elasticsearch.plugins.PluginsService;

/** Starts one Elasticsearch node from the jars on the class path. Arguments: home httpPort passwordFile [setting=value ...] */
public class EsLauncher {
    private static final String NODE = "portico";

    public static void main(String[] args) throws Exception {
        Path home = Path.of(args[0]).toAbsolutePath();
        PasswordPlugin.password = Files.readString(Path.of(args[2]));
        for (String dir : List.of("config", "data", "logs")) Files.createDirectories(home.resolve(dir));
        Settings.Builder builder = Settings.builder()
            .put("path.home", home.toString())
            .put("node.name", NODE)
            .put("cluster.name", NODE)
            .put("discovery.type", "single-node")
            .put("network.host", "127.0.0.1")
            .put("http.port", args[1])
            .put("transport.port", 0) // PasswordPlugin lets nobody connect to it: any free port will do
            .put("transport.type", "netty4")
            .put("http.type", "netty4")
            .put("cluster.routing.allocation.disk.threshold_enabled", false) // a full laptop must not make indexes read-only
            .put("action.auto_create_index", "false");
        for (int i = 3; i < args.length; i++) {
            int equals = args[i].indexOf('=');
            builder.put(args[i].substring(0, equals), args[i].substring(equals + 1));
        }
        Settings settings = builder.build();
        LogConfigurator.configureESLogging();
        LogConfigurator.configureWithoutConfig(settings);
        LogConfigurator.setNodeName(NODE);

        Environment env = InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), home.resolve("config"), () -> NODE);
        PluginsLoader loader = PluginsLoader.createPluginsLoader(Set.of(), Set.of(), Map.of(), false);
        NodeServiceProvider services = new NodeServiceProvider() {
            @Override
            PluginsService newPluginService(Environment e, PluginsLoader l) {
                return new CpPlugins(e.settings(), e.configDir(), l, List.of(PasswordPlugin.class, RootPlugin.class, FoldingPlugin.class));
            }
        };
        Node node = new Node(NodeConstruction.prepareConstruction(env, loader, services, true)) {};
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                node.close();
            } catch (Exception e) {
                e.printStackTrace();
            }
        }));
        node.start();
        System.out.println("READY http 127.0.0.1:" + args[1]);
        new CountDownLatch(1).await();
    }
}
