package org.elasticsearch.plugins; // LoadedPlugin is package-private

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.elasticsearch.Build;
import org.elasticsearch.common.settings.Settings;

/** Plugins given as classes on the class path instead of folders with a descriptor. */
public class CpPlugins extends PluginsService {
    private final List<LoadedPlugin> loaded;

    public CpPlugins(Settings settings, Path config, PluginsLoader loader, List<Class<? extends Plugin>> classes) {
        super(settings, config, loader);
        List<LoadedPlugin> plugins = new ArrayList<>();
        for (Class<? extends Plugin> type : classes) {
            plugins.add(new LoadedPlugin(descriptor(type.getName()), instance(type, settings), type.getClassLoader()));
        }
        loaded = List.copyOf(plugins);
        loadExtensions(loaded);
    }

    @Override
    protected List<LoadedPlugin> plugins() {
        return loaded == null ? super.plugins() : loaded; // null while the super constructor runs
    }

    private static PluginDescriptor descriptor(String name) {
        String java = Integer.toString(Runtime.version().feature());
        return new PluginDescriptor(
            name, "classpath", "NA", Build.current().version(), java, name, null, List.of(),
            false, false, false, false, PluginDescriptor.DeploymentTarget.ALL
        );
    }

    private static Plugin instance(Class<? extends Plugin> type, Settings settings) {
        try {
            try {
                return type.getConstructor(Settings.class).newInstance(settings);
            } catch (NoSuchMethodException e) {
                return type.getConstructor().newInstance();
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type.getName(), e);
        }
    }
}
